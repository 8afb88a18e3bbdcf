/** A full page: connect to a server, read what is recorded, and allow it. The browser's questions need a click on a page. */
import { browser } from "@wxt-dev/browser";
import { wantedOrigins } from "../../background/scripts";
import { ask, type Status } from "../../messages";
import { serverOf } from "../../outbox/address";
import * as keys from "../../storage/keys";
import { button, byId, h, notice } from "../../ui/dom";
import { readDomains } from "../../ui/domains";
import { t, translate } from "../../ui/i18n";

const address = byId("server", HTMLInputElement);
const serverForm = byId("server-form", HTMLFormElement);
const serverState = byId("server-state", HTMLElement);
const sitesForm = byId("sites-form", HTMLFormElement);
const sitesState = byId("sites-state", HTMLElement);
const only = byId("only", HTMLTextAreaElement);

serverForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const server = serverOf(address.value);
  if (server === null) {
    serverState.replaceChildren(notice(t("badAddress"), "bad"));
    return;
  }
  // Asked for in the click itself: after any wait the browser would refuse to ask.
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
  const { domains, bad } = readDomains(only.value);
  const wrong = bad !== null ? t("badDomain", bad) : domains.length === 0 ? t("emptyList") : null;
  if (isList && wrong !== null) {
    sitesState.replaceChildren(notice(wrong, "bad"));
    return;
  }
  const list = isList ? domains : null;
  void browser.permissions
    .request({ permissions: ["webNavigation"], origins: wantedOrigins(list) })
    .then(async (isGranted) => {
      if (isGranted) await keys.settings.set({ ...(await keys.settings.get()), only: list });
      await ask({ ask: "permitted" });
      sitesState.replaceChildren(isGranted ? notice(t("allowed"), "good") : notice(t("notAllowed"), "warn"));
    });
});

/** Patterns of hosts have no port. */
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

let shown = "";

async function refresh(): Promise<void> {
  const reply = await ask({ ask: "status" });
  if (!reply.ok) return;
  const { account, connecting, isPermitted } = reply.status;
  const look = JSON.stringify([account, connecting, isPermitted]);
  if (look === shown) return;
  if (shown !== "" && account === null && connecting === null) serverState.replaceChildren();
  shown = look;
  showServer(reply.status);
  if (isPermitted) sitesState.replaceChildren(notice(t("allowed"), "good"));
}

async function start(): Promise<void> {
  translate(document);
  const settings = await keys.settings.get();
  only.value = (settings.only ?? []).join("\n");
  const choice = sitesForm.querySelector<HTMLInputElement>(
    `[value="${settings.only === null ? "all" : "only"}"]`,
  );
  if (choice !== null) choice.checked = true;
  address.value = (await keys.account.get())?.server ?? "";
  await refresh();
  setInterval(() => void refresh(), 1_000);
}

void start();
