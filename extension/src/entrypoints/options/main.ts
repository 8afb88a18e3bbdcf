/** The options page: what is recorded and how, and the data stored in this browser. */
import { MAX_IDLE_S, MIN_IDLE_S } from "../../idle";
import { ask } from "../../messages";
import { allowNotices } from "../../permissions";
import * as keys from "../../storage/keys";
import { excludedDomains } from "../../storage/rules";
import { byId, notice } from "../../ui/dom";
import { parseDomainList } from "../../ui/domain-list";
import { bytes } from "../../ui/format";
import { loadLanguage, t, translate } from "../../ui/i18n";

const form = byId("form", HTMLFormElement);
const excluded = byId("excluded", HTMLTextAreaElement);
const idle = byId("idle", HTMLInputElement);
const automatic = byId("automatic", HTMLInputElement);
const selection = byId("selection", HTMLInputElement);
const ownServer = byId("own-server", HTMLInputElement);
const repaint = byId("repaint", HTMLInputElement);
const notices = byId("notices", HTMLInputElement);
const formState = byId("form-state", HTMLElement);
const localState = byId("local-state", HTMLElement);
/** The excluded domains as they were shown: only what the user changed is changed. */
let shown: readonly string[] = [];

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { domains, invalid } = parseDomainList(excluded.value);
  if (invalid !== null) {
    formState.replaceChildren(notice(t("badDomain", invalid), "bad"));
    return;
  }
  // Before anything is awaited: browsers show the question only right after a click.
  const allowed = allowNotices(notices.checked);
  void save(domains, allowed).then((isAllowed) => {
    notices.checked &&= isAllowed;
    formState.replaceChildren(isAllowed ? notice(t("applied"), "good") : notice(t("noticesRefused"), "warn"));
  });
});

async function save(domains: readonly string[], allowed: Promise<boolean>): Promise<boolean> {
  const add = domains.filter((domain) => !shown.includes(domain));
  const remove = shown.filter((domain) => !domains.includes(domain));
  shown = domains;
  const isAllowed = await allowed;
  await keys.settings.change({
    idleAfterS: idle.valueAsNumber,
    isAutomatic: automatic.checked,
    marksSelection: selection.checked,
    paintsHighlights: repaint.checked,
    recordsOwnServer: ownServer.checked,
    showsNotices: notices.checked && isAllowed,
  });
  if (add.length + remove.length > 0) await ask({ ask: "exclude", add, remove });
  return isAllowed;
}

async function showExcluded(): Promise<void> {
  const domains = await excludedDomains();
  const isEdited = excluded.value !== shown.join("\n");
  if (isEdited) return;
  shown = domains;
  excluded.value = domains.join("\n");
}

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
  await loadLanguage();
  translate(document);
  const settings = await keys.settings.get();
  idle.min = String(MIN_IDLE_S);
  idle.max = String(MAX_IDLE_S);
  idle.value = String(settings.idleAfterS);
  byId("idle-hint", HTMLElement).textContent = t("idleHint", MIN_IDLE_S, MAX_IDLE_S);
  automatic.checked = settings.isAutomatic;
  selection.checked = settings.marksSelection;
  repaint.checked = settings.paintsHighlights;
  ownServer.checked = settings.recordsOwnServer;
  notices.checked = settings.showsNotices;
  await showExcluded();
  await showStatus();
  // What was changed in the web app shows here too; the server may take a while.
  await ask({ ask: "sync" });
  await showExcluded();
}

void start();
