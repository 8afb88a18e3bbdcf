/** The options: what is left out, when a reader is away, and what is held in this browser. */
import { ask } from "../../messages";
import * as keys from "../../storage/keys";
import { byId, notice } from "../../ui/dom";
import { readDomains } from "../../ui/domains";
import { bytes } from "../../ui/format";
import { t, translate } from "../../ui/i18n";

const form = byId("form", HTMLFormElement);
const excluded = byId("excluded", HTMLTextAreaElement);
const idle = byId("idle", HTMLInputElement);
const marks = byId("marks", HTMLInputElement);
const formState = byId("form-state", HTMLElement);
const localState = byId("local-state", HTMLElement);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { domains, bad } = readDomains(excluded.value);
  if (bad !== null) {
    formState.replaceChildren(notice(t("badDomain", bad), "bad"));
    return;
  }
  void keys.settings
    .get()
    .then((before) =>
      keys.settings.set({
        ...before,
        excluded: domains,
        idleAfterS: idle.valueAsNumber,
        marksSelection: marks.checked,
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
    await showHeld();
  });
});

async function showHeld(): Promise<void> {
  const reply = await ask({ ask: "status" });
  if (!reply.ok) return;
  const { account, held, usage } = reply.status;
  byId("server", HTMLElement).textContent =
    account === null ? t("notConnected") : t("connectedAs", account.server, account.email);
  byId("held", HTMLElement).textContent = t("localText", held, bytes(usage, t("language")));
}

async function start(): Promise<void> {
  translate(document);
  const settings = await keys.settings.get();
  excluded.value = settings.excluded.join("\n");
  idle.value = String(settings.idleAfterS);
  marks.checked = settings.marksSelection;
  await showHeld();
}

void start();
