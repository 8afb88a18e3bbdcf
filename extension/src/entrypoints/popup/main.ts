/** The popup: draws the current state, and asks for it every second. */
import { browser } from "@wxt-dev/browser";
import { ask, type Request, type Status } from "../../messages";
import { button, byId, h, notice } from "../../ui/dom";
import { dateTime, duration } from "../../ui/format";
import { t, translate } from "../../ui/i18n";
import { type View, viewOf, waitingEvents } from "./view";

const popup = byId("popup", HTMLElement);
const REFRESH_MS = 1_000;
let drawn = "";

function openSetup(): void {
  void browser.tabs.create({ url: browser.runtime.getURL("/setup.html") }).then(() => {
    window.close();
  });
}

async function act(request: Request): Promise<void> {
  const reply = await ask(request);
  if (reply.ok) draw(reply.status);
  else popup.prepend(notice(t("failed", reply.reason), "bad"));
}

function draw(status: Status): void {
  const view = viewOf(status, Date.now());
  const elapsed = view.is === "recording" ? duration(Date.now() - view.startedAt) : "";
  // Redrawn only if more than the clock has changed, so that focus and clicks are not lost.
  const state = JSON.stringify([
    view,
    status.isOffline,
    status.isOffline && waitingEvents(status),
    status.unsentElsewhere,
    status.isStorageLow,
    status.isPermitted,
  ]);
  if (state !== drawn) {
    drawn = state;
    popup.replaceChildren(...banners(status), ...body(view), footer(status));
  }
  const clock = document.getElementById("elapsed");
  if (clock !== null) clock.textContent = elapsed;
}

function banners(status: Status): HTMLElement[] {
  const { isOffline, isStorageLow, unsentElsewhere, recording } = status;
  const isRunning = recording !== null && !recording.isInterrupted;
  return [
    ...(isOffline && isRunning ? [notice(t("offline", waitingEvents(status)), "warn")] : []),
    ...(unsentElsewhere > 0 ? [notice(t("unsentElsewhere", unsentElsewhere), "warn")] : []),
    ...(isStorageLow ? [notice(t("storageLow"), "warn")] : []),
  ];
}

function body(view: View): HTMLElement[] {
  switch (view.is) {
    case "signed-out":
      return [
        h("p", {}, view.wasConnected ? t("signedOut") : t("notConnected")),
        button(t("connectTo"), openSetup, "main"),
      ];
    case "interrupted":
      return [
        h("p", {}, t("interrupted", dateTime(view.lastAt, t("language")))),
        h(
          "div",
          { class: "row" },
          action(t("save"), { ask: "stop" }, "main"),
          action(t("discard"), { ask: "discard" }, "bad"),
        ),
      ];
    case "recording":
      return [
        h("div", { class: "row" }, h("span", { class: "recording-dot" }), h("h2", {}, t("recording"))),
        h(
          "dl",
          { class: "figures" },
          figure(t("elapsed"), "", "elapsed"),
          figure(t("pages"), String(view.pages)),
          figure(t("highlights"), String(view.highlights)),
        ),
        action(t("stop"), { ask: "stop" }, "main"),
      ];
    case "stopping":
      return [h("p", { role: "status" }, t("stopping"))];
    case "waiting":
      return [notice(t("waiting", view.events), "warn"), startButton()];
    case "saved":
      return [
        h("h2", {}, t("saved")),
        h("a", { href: view.link, target: "_blank" }, t("openSession")),
        startButton(),
      ];
    case "refused":
      return [notice(t("refused"), "warn"), startButton()];
    case "ready":
      return [h("h2", {}, t("ready")), startButton()];
  }
}

/** If something is missing, the background opens the setup page. */
function startButton(): HTMLElement {
  return action(t("start"), { ask: "start" }, "main");
}

function action(label: string, request: Request, look: "main" | "bad"): HTMLElement {
  return button(label, () => void act(request), look);
}

function figure(name: string, value: string, id = ""): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", id === "" ? {} : { id }, value));
}

function footer({ account }: Status): HTMLElement {
  return h(
    "div",
    { class: "row apart soft" },
    h("span", {}, account?.server.replace(/^https?:\/\//, "") ?? ""),
    h("a", { href: browser.runtime.getURL("/options.html"), target: "_blank" }, t("options")),
  );
}

translate(document);
void act({ ask: "status" });
setInterval(() => void act({ ask: "status" }), REFRESH_MS);
