/** The popup's part about the session: what is being recorded, or what can be started. */
import type { Request, Status } from "../../messages";
import type { RunningSession, SessionName } from "../../outbox/database";
import { button, h, notice } from "../../ui/dom";
import { dateTime } from "../../ui/format";
import { t } from "../../ui/i18n";
import type { View } from "./view";

type Act = (request: Request) => void;

export function sessionPart(view: View, status: Status, act: Act, connect: () => void): HTMLElement[] {
  const action = (label: string, request: Request, look?: "main" | "small" | "bad") =>
    button(
      label,
      () => {
        act(request);
      },
      look,
    );
  const start = action(t("start"), { ask: "start" }, "main");
  const pauses = h(
    "div",
    { class: "row" },
    action(t("pauseHour"), { ask: "pause", length: "hour" }, "small"),
    action(t("pauseTomorrow"), { ask: "pause", length: "tomorrow" }, "small"),
  );
  switch (view.is) {
    case "signed-out":
      return [
        h("p", {}, view.wasConnected ? t("signedOut") : t("notConnected")),
        button(t("connectTo"), connect, "main"),
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
        heading(view),
        ...(view.name === null ? [] : [h("p", { class: "name" }, nameText(view.name))]),
        h(
          "dl",
          { class: "figures" },
          figure(t("elapsed"), "", "elapsed"),
          figure(t("pages"), String(view.pages)),
          figure(t("highlights"), String(view.highlights)),
        ),
        ...(view.isPaused ? [h("p", { class: "soft" }, t("pausedText"))] : []),
        h("div", { class: "row" }, ...recordingButtons(view, action)),
        ...(view.isByItself ? [pauses] : []),
        h("a", { href: view.link, target: "_blank" }, t("openLive")),
      ];
    case "paused":
      return [
        state("paused", t("paused")),
        h("p", { class: "soft" }, pausedText(view.until)),
        action(t("resume"), { ask: "resume" }, "main"),
      ];
    case "automatic":
      return [
        state("waiting", t("waitingForPage")),
        h("p", { class: "soft" }, view.isHeld ? t("heldText") : t("waitingForPageText")),
        start,
        pauses,
      ];
    case "stopping":
      return [h("p", { role: "status" }, t("stopping"))];
    case "waiting":
      return [notice(t("waiting", view.events), "warn"), start];
    case "saved":
      return [
        h("h2", {}, t("saved")),
        ...(view.name === null ? [] : [h("p", { class: "name" }, nameText(view.name))]),
        h("a", { href: view.link, target: "_blank" }, t("openSession")),
        ...(status.isAutomatic
          ? [h("p", { class: "soft" }, status.isHeld ? t("heldText") : t("waitingForPageText"))]
          : []),
        start,
      ];
    case "refused":
      return [notice(t("refused"), "warn"), start];
    case "limit":
      return [
        notice(t("limit"), "warn"),
        ...view.running.flatMap((each) => [
          h("p", { class: "name" }, runningText(each)),
          action(t("replace"), { ask: "replace", session: each.id }, "main"),
        ]),
        ...(view.running.length === 0 ? [start] : []),
      ];
    case "ready":
      return [h("h2", {}, t("ready")), start];
  }
}

/** Which session runs, where, and since when. */
function runningText({ title, startedAt, device }: RunningSession): string {
  const since = dateTime(startedAt, t("language"));
  return t("runningElsewhere", title ?? t("untitled"), device ?? t("anotherDevice"), since);
}

function heading({ isPaused, isByItself }: View & { is: "recording" }): HTMLElement {
  if (isPaused) return state("paused", t("paused"));
  return state("recording", isByItself ? t("recordingByItself") : t("recording"));
}

function state(is: "recording" | "paused" | "waiting", text: string): HTMLElement {
  return h("div", { class: "row" }, h("span", { class: "state-dot", "data-is": is }), h("h2", {}, text));
}

function recordingButtons(
  { isPaused, isByItself }: View & { is: "recording" },
  action: (label: string, request: Request, look?: "main" | "small" | "bad") => HTMLElement,
): HTMLElement[] {
  if (isPaused) return [action(t("resume"), { ask: "resume" }, "main"), action(t("stop"), { ask: "stop" })];
  const stop = action(t("stop"), { ask: "stop" }, "main");
  return isByItself ? [stop] : [stop, action(t("pause"), { ask: "pause", length: "resumed" })];
}

function pausedText(until: number | null): string {
  return until === null ? t("pausedText") : t("pausedUntil", dateTime(until, t("language")));
}

/** What a session is called as long as it has no title. */
export function nameText({ title, morePages }: SessionName): string {
  if (morePages === 0) return title;
  return morePages === 1 ? t("namedOneMore", title) : t("named", title, morePages);
}

function figure(name: string, value: string, id = ""): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", id === "" ? {} : { id }, value));
}
