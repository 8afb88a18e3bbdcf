/** The options page: excluded domains, idle time, highlights, and the data stored in this browser. */
import { MAX_IDLE_S, MIN_IDLE_S } from "../../idle";
import { ask } from "../../messages";
import * as keys from "../../storage/keys";
import { byId, notice } from "../../ui/dom";
import { parseDomainList } from "../../ui/domain-list";
import { bytes } from "../../ui/format";
import { t, translate } from "../../ui/i18n";

const form = byId("form", HTMLFormElement);
const excluded = byId("excluded", HTMLTextAreaElement);
const idle = byId("idle", HTMLInputElement);
const highlightSelection = byId("highlight-selection", HTMLInputElement);
const formState = byId("form-state", HTMLElement);
const localState = byId("local-state", HTMLElement);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { domains, invalid } = parseDomainList(excluded.value);
  if (invalid !== null) {
    formState.replaceChildren(notice(t("badDomain", invalid), "bad"));
    return;
  }
  void keys.settings
    .get()
    .then((before) =>
      keys.settings.set({
        ...before,
        excluded: domains,
        idleAfterS: idle.valueAsNumber,
        marksSelection: highlightSelection.checked,
      }),
    )
    .then(() => {
      formState.replaceChildren(notice(t("applied"), "good"));
    });
});

byId("delete", HTMLButtonElement).addEventListener("click", () => {
  if (!confirm(t("deleteSure"))) return;
  void ask({ ask: "delete-local" }).then(async () => {
    localState.replaceChildren(notice(t("deleted"), "good"));
    await showStatus();
  });
});

async function showStatus(): Promise<void> {
  const reply = await ask({ ask: "status" });
  if (!reply.ok) return;
  const { account, unsent, storageUsed } = reply.status;
  byId("server", HTMLElement).textContent =
    account === null ? t("notConnected") : t("connectedAs", account.server, account.email);
  byId("local", HTMLElement).textContent = t("localText", unsent, bytes(storageUsed, t("language")));
}

async function start(): Promise<void> {
  translate(document);
  const settings = await keys.settings.get();
  excluded.value = settings.excluded.join("\n");
  idle.min = String(MIN_IDLE_S);
  idle.max = String(MAX_IDLE_S);
  idle.value = String(settings.idleAfterS);
  byId("idle-hint", HTMLElement).textContent = t("idleHint", MIN_IDLE_S, MAX_IDLE_S);
  highlightSelection.checked = settings.marksSelection;
  await showStatus();
}

void start();
