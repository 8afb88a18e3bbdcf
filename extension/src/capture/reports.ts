/**
 * Reports from content scripts: extracted text and highlights, and, as a fallback for lost browser events, that a page
 * became visible or changed its URL. Each report counts once, however often it is repeated.
 */
import { MAX_CONTENT, MAX_HIGHLIGHT } from "@mindhit/client";
import { hasCredentials, recordableUrl, type Rules } from "./exclusions";
import { commit, withTitle } from "./navigation";
import {
  type Committed,
  type Extracted,
  type Highlighted,
  type Moved,
  NO_TAB,
  type Report,
  type Shown,
} from "./observations";
import { isActivationReport, isProcessed, withProcessed } from "./report-ids";
import { type CaptureState, emit, type KnownTab, noEvents, type Reduced } from "./state";
import { activate, ACTIVATION_LATE_MS, putTab } from "./tabs";
import { cut, cutAll } from "./text";

/** A page's report of its activation belongs to the browser's own event if it comes within this time. */
const SAME_ACTIVATION_MS = 10_000;

export function handleReport(state: CaptureState, received: Report, rules: Rules): Reduced {
  const report = withTab(state, received);
  const { reportId } = report;
  if (report.tabId === NO_TAB) return noEvents(state);
  if (reportId === undefined) return apply(state, report, rules);
  if (isProcessed(state.heard, reportId)) return noEvents(state);
  return apply({ ...state, heard: withProcessed(state.heard, reportId) }, report, rules);
}

function apply(state: CaptureState, report: Report, rules: Rules): Reduced {
  switch (report.kind) {
    case "shown":
      return show(state, report, rules);
    case "moved":
      return move(state, report, rules);
    case "highlight":
      return highlight(state, report, rules);
    case "content":
      return extract(state, report, rules);
  }
}

/**
 * A page that was closed before it learned which tab it is in was in the active tab; if it reports an activation, in the
 * tab that has its URL.
 */
function withTab<R extends Report>(state: CaptureState, report: R): R {
  if (report.tabId !== NO_TAB) return report;
  const active = state.active[state.focusedWindowId ?? NO_TAB];
  const same = Object.keys(state.tabs).filter((id) => state.tabs[Number(id)]?.url === report.url);
  const tabId = isActivationReport(report) ? (same.length === 1 ? Number(same[0]) : undefined) : active;
  const tab = tabId === undefined ? undefined : state.tabs[tabId];
  return tabId === undefined || tab === undefined ? report : { ...report, tabId, windowId: tab.windowId };
}

/**
 * A page is visible. If the browser's own event was lost, the page's report replaces it, with the page's time. Each browser
 * event is followed by one report: a second report belongs to another activation.
 */
function show(before: CaptureState, shown: Shown, rules: Rules): Reduced {
  const { t, tabId, windowId, url: reportedUrl, bornAt, isFirst } = shown;
  const tab = before.tabs[tabId];
  const url = recordableUrl(reportedUrl, rules);
  // Reported before the tab went elsewhere: out of date.
  if (tab?.isPrivate || url === null || t < (tab?.committedAt ?? 0)) return noEvents(before);
  // `reorder` has already matched reports with browser events as far as both were there.
  const within = shown.isSure === true ? ACTIVATION_LATE_MS : SAME_ACTIVATION_MS;
  const isRepetition = !isFirst && tab?.broughtAt !== undefined && t < tab.broughtAt + within;
  const state = isRepetition ? withoutActivation(before, tabId) : before;
  const missed: Committed = {
    kind: "committed",
    t: Math.min(bornAt, t),
    tabId,
    url: reportedUrl,
    isSameDocument: true,
  };
  const arrived = tab?.url === url ? noEvents(state) : commit(state, missed, rules);
  const isOutdated = t < state.frontAt;
  const isSure = shown.isSure === true || shown.isActive || t >= state.frontAt + ACTIVATION_LATE_MS;
  if (isRepetition || isOutdated || !isSure) return arrived;
  const activated = activate(arrived.state, { kind: "activated", t, tabId, windowId });
  return {
    state: withoutActivation(activated.state, tabId),
    events: [...arrived.events, ...activated.events],
  };
}

/** The page has reported its activation: no more reports of it are expected. */
function withoutActivation(state: CaptureState, tabId: number): CaptureState {
  const { broughtAt, ...tab } = state.tabs[tabId] ?? {};
  return broughtAt === undefined ? state : putTab(state, tabId, tab as KnownTab);
}

/** A script changed the page's URL. Known from the browser, unless its event was lost. */
function move(state: CaptureState, { t, tabId, url }: Moved, rules: Rules): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined || t < (tab.committedAt ?? 0)) return noEvents(state);
  return commit(state, { kind: "committed", t, tabId, url, isSameDocument: true }, rules);
}

function highlight(state: CaptureState, highlighted: Highlighted, rules: Rules): Reduced {
  const { t, tabId } = highlighted;
  const tab = state.tabs[tabId];
  const url = recordableUrl(highlighted.url, rules);
  const text = cut(highlighted.text.trim(), MAX_HIGHLIGHT);
  if (tab?.isPrivate || url === null || text === "" || tab?.highlight === text) return noEvents(state);
  const next = tab === undefined ? state : putTab(state, tabId, { ...tab, highlight: text });
  return emit(next, t, { type: "HIGHLIGHT", tabId, url, payload: { text } });
}

function extract(state: CaptureState, extracted: Extracted, rules: Rules): Reduced {
  const { t, tabId, content, extractionOk } = extracted;
  const url = recordableUrl(extracted.url, rules);
  const tab = state.tabs[tabId];
  if (tab?.isPrivate || url === null) return noEvents(state);
  const isCurrent = tab?.url === url;
  if (extracted.noFetch) {
    const next = isCurrent ? putTab(state, tabId, { ...tab, noFetch: true }) : state;
    const payload = { extractionOk: false, noFetch: true };
    return emit(next, t, { type: "CONTENT_EXTRACTED", tabId, url, payload });
  }
  const meta = cutAll(extracted.meta);
  const noFetch = hasCredentials(extracted.url) || (isCurrent && tab.noFetch);
  const payload = {
    content: cut(content, MAX_CONTENT),
    extractionOk,
    meta,
    ...(noFetch && { noFetch }),
  };
  const next = isCurrent ? withTitle(state, tabId, meta.title) : state;
  return emit(next, t, { type: "CONTENT_EXTRACTED", tabId, url, payload });
}
