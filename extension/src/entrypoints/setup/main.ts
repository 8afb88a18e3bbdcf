/**
 * The setup page: connect to a server, allow recording, and choose how. A full page, because browsers ask for permissions only after a
 * click on a page.
 */
import { browser } from "@wxt-dev/browser";
import { ask, type Status } from "../../messages";
import { parseServerAddress } from "../../outbox/server-address";
import { neededOrigins } from "../../permissions";
import * as keys from "../../storage/keys";
import { button, byId, h, notice } from "../../ui/dom";
import { parseDomainList } from "../../ui/domain-list";
import { loadLanguage, t, translate } from "../../ui/i18n";
import { suggestedServer } from "./suggested-server";

const address = byId("server", HTMLInputElement);
const serverForm = byId("server-form", HTMLFormElement);
const serverState = byId("server-state", HTMLElement);
const sitesForm = byId("sites-form", HTMLFormElement);
const sitesState = byId("sites-state", HTMLElement);
const only = byId("only", HTMLTextAreaElement);
const automatic = byId("automatic", HTMLInputElement);
const selection = byId("selection", HTMLInputElement);

serverForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const server = parseServerAddress(address.value);
  if (server === null) {
    serverState.replaceChildren(notice(t("badAddress"), "bad"));
    return;
  }
  // Requested in the click handler itself: after an await the browser would refuse.
  void browser.permissions.request({ origins: [`${withoutPort(server)}/*`] }).then(async (isGranted) => {
    if (!isGranted) {
      serverState.replaceChildren(notice(t("needsServerAccess"), "bad"));
      return;
    }
    const reply = await ask({ ask: "connect", server });
    if (reply.ok) showServer(reply.status);
    else serverState.replaceChildren(notice(t("unreachable"), "bad"));
  });
});

sitesForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const isList = new FormData(sitesForm).get("sites") === "only";
  const { domains, invalid } = parseDomainList(only.value);
  const error = invalid !== null ? t("badDomain", invalid) : domains.length === 0 ? t("emptyList") : null;
  if (isList && error !== null) {
    sitesState.replaceChildren(notice(error, "bad"));
    return;
  }
  const list = isList ? domains : null;
  void browser.permissions
    .request({ permissions: ["webNavigation"], origins: neededOrigins(list) })
    .then(async (isGranted) => {
      if (isGranted) await keys.settings.change({ only: list });
      await ask({ ask: "permitted" });
      sitesState.replaceChildren(isGranted ? notice(t("allowed"), "good") : notice(t("notAllowed"), "warn"));
    });
});

for (const choice of [automatic, selection])
  choice.addEventListener("change", () => {
    void keys.settings
      .change({ isAutomatic: automatic.checked, marksSelection: selection.checked })
      .then(() => {
        byId("choices-state", HTMLElement).replaceChildren(notice(t("applied"), "good"));
      });
  });

/** Match patterns have no port. */
function withoutPort(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}`;
}

function showServer({ account, connecting }: Status): void {
  const isConnected = account !== null && !account.isSignedOut;
  serverForm.hidden = isConnected || connecting !== null;
  if (connecting !== null)
    serverState.replaceChildren(
      h("p", {}, t("compareCode")),
      h("p", { class: "code" }, connecting.userCode),
      h("a", { href: connecting.url, target: "_blank" }, connecting.url),
    );
  else if (isConnected)
    serverState.replaceChildren(
      notice(t("connectedAs", account.server, account.email), "good"),
      button(t("disconnect"), () => void ask({ ask: "disconnect" }).then(refresh)),
    );
}

/** What is on the page now; it is redrawn only if something changed. */
let drawn = "";

async function refresh(): Promise<void> {
  const reply = await ask({ ask: "status" });
  if (!reply.ok) return;
  const { account, connecting, isPermitted } = reply.status;
  const state = JSON.stringify([account, connecting, isPermitted]);
  if (state === drawn) return;
  if (drawn !== "" && account === null && connecting === null) serverState.replaceChildren();
  drawn = state;
  showServer(reply.status);
  if (isPermitted) sitesState.replaceChildren(notice(t("allowed"), "good"));
}

async function start(): Promise<void> {
  await loadLanguage();
  translate(document);
  const settings = await keys.settings.get();
  only.value = (settings.only ?? []).join("\n");
  const choice = sitesForm.querySelector<HTMLInputElement>(
    `[value="${settings.only === null ? "all" : "only"}"]`,
  );
  if (choice !== null) choice.checked = true;
  automatic.checked = settings.isAutomatic;
  selection.checked = settings.marksSelection;
  address.value = await suggestedServer();
  await refresh();
  setInterval(() => void refresh(), 1_000);
}

void start();
