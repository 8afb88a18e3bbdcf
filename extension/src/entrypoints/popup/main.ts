/** The popup: one state at a time, asked for anew every second. */
import { browser } from "@wxt-dev/browser";
import { ask, type Request, type Status } from "../../messages";
import { button, byId, h, notice } from "../../ui/dom";
import { duration, moment } from "../../ui/format";
import { t, translate } from "../../ui/i18n";
import { type View, viewOf, waiting } from "../../ui/view";

const place = byId("popup", HTMLElement);
let drawn = "";

/** Opening a page of ours closes the popup. */
function setup(): void {
  void browser.tabs.create({ url: browser.runtime.getURL("/setup.html") }).then(() => {
    window.close();
  });
}

async function act(request: Request): Promise<void> {
  const reply = await ask(request);
  if (reply.ok) draw(reply.status);
  else place.prepend(notice(t("failed", reply.reason), "bad"));
}

function draw(status: Status): void {
  const view = viewOf(status, Date.now());
  const elapsed = view.is === "recording" ? duration(Date.now() - view.startedAt) : "";
  // Drawn again only when something else than the clock has changed, so that focus and clicks are not lost.
  const look = JSON.stringify([
    view,
    status.isOffline,
    status.isOffline && waiting(status),
    status.foreign,
    status.isTight,
    status.isPermitted,
  ]);
  if (look !== drawn) {
    drawn = look;
    place.replaceChildren(...banners(status), ...body(view), footer(status));
  }
  const clock = document.getElementById("elapsed");
  if (clock !== null) clock.textContent = elapsed;
}

function banners(status: Status): HTMLElement[] {
  const { isOffline, isTight, foreign, recording } = status;
  const isRunning = recording !== null && !recording.isInterrupted;
  return [
    ...(isOffline && isRunning ? [notice(t("offline", waiting(status)), "warn")] : []),
    ...(foreign > 0 ? [notice(t("foreign", foreign), "warn")] : []),
    ...(isTight ? [notice(t("tight"), "warn")] : []),
  ];
}

function body(view: View): HTMLElement[] {
  switch (view.is) {
    case "signed-out":
      return [
        h("p", {}, t(view.wasConnected ? "signedOut" : "notConnected")),
        button(t("connectTo"), setup, "main"),
      ];
    case "interrupted":
      return [
        h("p", {}, t("interrupted", moment(view.lastAt, t("language")))),
        h(
          "div",
          { class: "row" },
          doing("save", { ask: "stop" }, "main"),
          doing("discard", { ask: "discard" }, "bad"),
        ),
      ];
    case "recording":
      return [
        h("div", { class: "row" }, h("span", { class: "lamp" }), h("h2", {}, t("recording"))),
        h(
          "dl",
          { class: "figures" },
          figure(t("elapsed"), "", "elapsed"),
          figure(t("pages"), String(view.pages)),
          figure(t("highlights"), String(view.highlights)),
        ),
        doing("stop", { ask: "stop" }, "main"),
      ];
    case "stopping":
      return [h("p", { role: "status" }, t("stopping"))];
    case "waiting":
      return [notice(t("waiting", view.events), "warn"), starter()];
    case "saved":
      return [
        h("h2", {}, t("saved")),
        h("a", { href: view.link, target: "_blank" }, t("openSession")),
        starter(),
      ];
    case "refused":
      return [notice(t("refused"), "warn"), starter()];
    case "ready":
      return [h("h2", {}, t("ready")), starter()];
  }
}

/** Where something is missing, the background leads to the page that has it. */
function starter(): HTMLElement {
  return doing("start", { ask: "start" }, "main");
}

function doing(
  label: "start" | "stop" | "save" | "discard",
  request: Request,
  look: "main" | "bad",
): HTMLElement {
  return button(t(label), () => void act(request), look);
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
setInterval(() => void act({ ask: "status" }), 1_000);
