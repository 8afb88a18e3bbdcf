/** The popup: draws the current state, and asks for it every second. */
import { browser } from "@wxt-dev/browser";
import { ask, type Reply, type Request, type Status } from "../../messages";
import { judge } from "../../capture/exclusions";
import type { KnownPage } from "../../outbox/http";
import { currentRules } from "../../storage/rules";
import { button, byId, h, notice } from "../../ui/dom";
import { duration } from "../../ui/format";
import { loadLanguage, t, translate } from "../../ui/i18n";
import { appIn } from "./app-tab";
import { forgetPart } from "./forget-part";
import { pageView, type PageView } from "./page";
import { pagePart } from "./page-part";
import { sessionPart } from "./session-part";
import { viewOf, waitingEvents } from "./view";

const popup = byId("popup", HTMLElement);
const REFRESH_MS = 1_000;
let drawn = "";
/** What came of the last click, until the next one. */
let result: HTMLElement | null = null;
/** The MindHit server whose web app is in the active tab. */
let app: string | null = null;
/** What is known of the page; asked once, when the popup opens, and after the page was saved. */
let known: KnownPage | null = null;

function openSetup(server: string | null): void {
  const query = server === null ? "" : `?server=${encodeURIComponent(server)}`;
  void browser.tabs
    .create({ url: browser.runtime.getURL(`/setup.html${query}` as "/setup.html") })
    .then(() => {
      window.close();
    });
}

async function act(request: Request): Promise<void> {
  const reply = await ask(request);
  const said = resultOf(request, reply);
  if (request.ask !== "status") {
    result = said;
    drawn = "";
  }
  if ((request.ask === "save" || request.ask === "remind") && reply.ok) known = await lookUp();
  if (reply.ok) await draw(reply.status);
  else await refresh();
}

/** Only of pages that may be recorded: the address of an excluded one stays in the browser. */
async function lookUp(): Promise<KnownPage | null> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab?.url === undefined || tab.incognito) return null;
  const judged = judge(tab.url, { ...(await currentRules(Date.now())), isPaused: false });
  if ("refusal" in judged) return null;
  const reply = await ask({ ask: "look-up", address: tab.url });
  return reply.ok ? (reply.known ?? null) : null;
}

/** What is said about an action, if anything. */
function resultOf({ ask: asked }: Request, reply: Reply): HTMLElement | null {
  if (reply.ok) {
    if (asked === "save")
      return reply.status.unsentPages > 0 ? notice(t("saveWaiting"), "warn") : notice(t("saveDone"), "good");
    if (asked === "remind")
      return reply.status.unsentPages > 0
        ? notice(t("saveWaiting"), "warn")
        : notice(t("remindDone"), "good");
    if (asked === "highlight") return notice(t("highlightDone"), "good");
    return asked === "forget" ? notice(t("forgotten"), "good") : null;
  }
  if (reply.refused === "nothing-selected") return notice(t("nothingSelected"), "warn");
  if (reply.refused === "not-web") return notice(t("saveNotWeb"), "warn");
  if (reply.refused === "not-connected") return notice(t("saveNotConnected"), "warn");
  if (reply.refused === "unreachable") return notice(t("serverNeeded"), "bad");
  return notice(t("failed", reply.reason), "bad");
}

async function refresh(): Promise<void> {
  const reply = await ask({ ask: "status" });
  if (reply.ok) await draw(reply.status);
  else popup.replaceChildren(notice(t("failed", reply.reason), "bad"));
}

async function draw(status: Status): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  const page = tab === undefined ? null : pageView(tab, await currentRules(Date.now()), status);
  const view = viewOf(status, Date.now());
  // Redrawn only if more than the clock has changed, so that focus and clicks are not lost.
  const state = JSON.stringify([
    view,
    page,
    app,
    known,
    status.isOffline,
    status.refusal,
    status.isOffline && waitingEvents(status),
    status.unsentElsewhere,
    status.isStorageLow,
    status.isPermitted,
  ]);
  if (state !== drawn) {
    drawn = state;
    const send = (request: Request) => void act(request);
    popup.replaceChildren(
      ...(result === null ? [] : [result]),
      ...banners(status),
      ...(view.is === "signed-out" && app !== null ? [connectHere(app)] : []),
      ...sessionPart(view, status, send, () => {
        openSetup(null);
      }),
      ...(view.is === "signed-out" || page === null ? [] : pageAndForget(page, send)),
      footer(status),
    );
  }
  const clock = document.getElementById("elapsed");
  if (clock !== null && view.is === "recording") clock.textContent = duration(Date.now() - view.startedAt);
}

function pageAndForget(page: PageView, send: (request: Request) => void): HTMLElement[] {
  return [pagePart(page, known, send), forgetPart(page.site, send)];
}

function connectHere(server: string): HTMLElement {
  return button(
    t("connectHere", server.replace(/^https?:\/\//, "")),
    () => {
      openSetup(server);
    },
    "main",
  );
}

/** Why events wait: the server can't be reached, or answers and takes nothing. */
function waitingText(status: Status): string {
  const count = waitingEvents(status);
  switch (status.refusal) {
    case "no-space":
      return t("serverFull", count);
    case "daily-limit":
      return t("dailyLimit", count);
    case null:
      return t("offline", count);
  }
}

function banners(status: Status): HTMLElement[] {
  const { isOffline, isStorageLow, unsentElsewhere, recording } = status;
  const isRunning = recording !== null && !recording.isInterrupted;
  return [
    ...(isOffline && isRunning ? [notice(waitingText(status), "warn")] : []),
    ...(unsentElsewhere > 0 ? [notice(t("unsentElsewhere", unsentElsewhere), "warn")] : []),
    ...(isStorageLow ? [notice(t("storageLow"), "warn")] : []),
  ];
}

function footer({ account }: Status): HTMLElement {
  return h(
    "div",
    { class: "row apart soft" },
    h("span", {}, account?.server.replace(/^https?:\/\//, "") ?? ""),
    h("a", { href: browser.runtime.getURL("/options.html"), target: "_blank" }, t("options")),
  );
}

async function start(): Promise<void> {
  await loadLanguage();
  translate(document);
  await refresh();
  setInterval(() => void refresh(), REFRESH_MS);
  // What was changed in the web app shows here too; the server may take a while.
  void ask({ ask: "sync" });
  known = await lookUp();
  if (known !== null) await refresh();
  app = await appIn();
  if (app !== null) await refresh();
}

void start();
