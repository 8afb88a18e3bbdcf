/** The popup's part about the page in the active tab: is it recorded, and what can be done about it. */
import type { Request } from "../../messages";
import { button, h } from "../../ui/dom";
import { dateTime, duration } from "../../ui/format";
import { t } from "../../ui/i18n";
import type { KnownPage } from "../../outbox/http";
import type { PageView } from "./page";

export function pagePart(
  page: PageView,
  known: KnownPage | null,
  act: (request: Request) => void,
): HTMLElement {
  return h(
    "section",
    { class: "this-page", "aria-label": t("thisPage") },
    ...(page.title === "" ? [] : [h("p", { class: "page-title" }, page.title)]),
    h("p", { class: "page-state", "data-is": page.is }, stateText(page)),
    ...knownTexts(known).map((text) => h("p", { class: "soft known" }, text)),
    h("div", { class: "row" }, ...pageButtons(page, act)),
  );
}

/** A word of a page that was seen or saved before. */
function knownTexts(known: KnownPage | null): string[] {
  const language = t("language");
  const [saved] = known?.pages ?? [];
  const seen = known?.seen ?? null;
  return [
    ...(saved === undefined ? [] : [t("knownSaved", dateTime(Date.parse(saved.created_at), language))]),
    ...(seen === null
      ? []
      : [t("knownSeen", dateTime(Date.parse(seen.last_at), language), duration(seen.focused_ms))]),
    ...(seen !== null && seen.highlights > 0 ? [t("knownHighlights", seen.highlights)] : []),
  ];
}

function stateText({ is, excludedAs, site }: PageView): string {
  switch (is) {
    case "recorded":
      return t("pageRecorded");
    case "idle":
      return t("pageIdle");
    case "paused":
      return t("pagePaused");
    case "private":
      return t("pagePrivate");
    case "not-web":
      return t("pageNotWeb");
    case "own-server":
      return t("pageOwnServer");
    case "excluded":
      return t("pageExcluded", excludedAs ?? site ?? "");
    case "not-listed":
      return t("pageNotListed");
    case "too-long":
      return t("pageTooLong");
  }
}

function pageButtons({ is, site, excludedAs }: PageView, act: (request: Request) => void): HTMLElement[] {
  if (is === "excluded" && excludedAs !== null)
    return [
      button(
        t("recordAgain", excludedAs),
        () => {
          act({ ask: "exclude", add: [], remove: [excludedAs] });
        },
        "small",
      ),
    ];
  const canSave = is !== "not-web" && is !== "private" && is !== "own-server";
  const canExclude = site !== null && (is === "recorded" || is === "idle" || is === "paused");
  return [
    ...(canSave
      ? [
          button(
            t("saveShort"),
            () => {
              act({ ask: "save" });
            },
            "small",
          ),
          button(
            t("remindShort"),
            () => {
              act({ ask: "remind" });
            },
            "small",
          ),
        ]
      : []),
    ...(is === "recorded"
      ? [
          button(
            t("highlightNow"),
            () => {
              act({ ask: "highlight" });
            },
            "small",
          ),
        ]
      : []),
    ...(canExclude
      ? [
          button(
            t("neverRecord"),
            () => {
              act({ ask: "exclude", add: [site], remove: [] });
            },
            "small",
          ),
        ]
      : []),
  ];
}
