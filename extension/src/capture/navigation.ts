/** A tab has a new URL or title. */
import { MAX_TITLE, type SentPayload } from "@mindhit/client";
import { hasCredentials, recordableUrl, type Rules } from "./exclusions";
import type { Committed, Updated } from "./observations";
import { isRedirect } from "./redirects";
import { type CaptureState, emit, type KnownTab, noEvents, type Reduced } from "./state";
import { activation, putTab } from "./tabs";
import { cut } from "./text";

/** Transitions after which the page was opened from the one before it, or from the tab that opened its tab. */
const FOLLOWED: ReadonlySet<string> = new Set(["link", "form_submit"]);
/** What a new tab shows before its first page. */
const INITIAL_PAGE = "about:blank";

export function commit(state: CaptureState, committed: Committed, rules: Rules): Reduced {
  const { t, tabId, isSameDocument } = committed;
  const before = state.tabs[tabId];
  const url = recordableUrl(committed.url, rules);
  if (before?.isPrivate) return noEvents(state);
  // A script that sets the URL the page already has changes nothing; neither does a commit that was observed twice.
  const isKnown = isSameDocument || url === null || before?.committedAt === t;
  if (before?.url === url && isKnown) return noEvents(withoutOpener(state, committed));
  const noFetch = url !== null && (hasCredentials(committed.url) || (isSameDocument && before?.noFetch));
  const tab: KnownTab = {
    windowId: before?.windowId ?? state.focusedWindowId ?? 0,
    url,
    committedAt: t,
    ...(noFetch && { noFetch }),
    // A new document will not report an activation that happened before it.
    ...(before?.broughtAt !== undefined && isSameDocument && { broughtAt: before.broughtAt }),
  };
  const redirect = isRedirect(before, committed) && { redirect: true };
  // Of a page that must not be recorded, only that the page before it was a step on the way there.
  const payload: SentPayload =
    url === null
      ? { ...redirect }
      : { ...redirect, ...arrival(before, committed), ...(noFetch && { noFetch }) };
  return emit(putTab(state, tabId, tab), t, {
    type: "NAV_COMMITTED",
    tabId,
    ...(before !== undefined && { windowId: before.windowId }),
    ...(url !== null && { url }),
    ...(Object.keys(payload).length > 0 && { payload }),
  });
}

/** How the user came to a page. Going back or forward is that, however the page was reached the first time. */
function arrival(
  before: KnownTab | undefined,
  { isSameDocument, transition, qualifiers }: Committed,
): SentPayload {
  const isReturn = qualifiers?.includes("forward_back") === true;
  const way = isReturn ? "forward_back" : transition;
  const openerTabId = way !== undefined && FOLLOWED.has(way) ? before?.openerTabId : undefined;
  return {
    ...(way !== undefined && { transition: way }),
    ...(!isSameDocument && transition !== "reload" && { newDocument: true }),
    ...(openerTabId !== undefined && { openerTabId }),
  };
}

/** The browser also names an opener for an empty new tab: what is typed there was not opened from the other tab. */
function withoutOpener(state: CaptureState, { tabId, url }: Committed): CaptureState {
  const tab = state.tabs[tabId];
  if (tab === undefined || url === INITIAL_PAGE) return state;
  const { openerTabId, ...rest } = tab;
  return openerTabId === undefined ? state : putTab(state, tabId, rest);
}

/**
 * An active page's first title is sent at once: the page may be left before its text is extracted. Pages in the background
 * bring theirs when they are activated. The title at the end of a load may still be the previous route's, so it is only
 * remembered.
 */
export function update(
  state: CaptureState,
  { t, tabId, url: loadedUrl, title }: Updated,
  rules: Rules,
): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.isPrivate) return noEvents(state);
  const url = recordableUrl(loadedUrl, rules);
  if (loadedUrl !== undefined && url !== null && url !== tab.url) {
    const missed: Committed = { kind: "committed", t, tabId, url: loadedUrl, isSameDocument: true };
    const committed = commit(state, missed, rules);
    return { ...committed, state: withTitle(committed.state, tabId, title) };
  }
  const next = withTitle(state, tabId, title);
  const titled = next.tabs[tabId];
  const isFirst = tab.title === undefined && titled?.title !== undefined;
  if (!isFirst || loadedUrl !== undefined || state.active[tab.windowId] !== tabId) return noEvents(next);
  return emit(next, t, { ...activation(tabId, titled), type: "NAV_COMMITTED" });
}

export function withTitle(state: CaptureState, tabId: number, title: string | undefined): CaptureState {
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.url === null || !title) return state;
  return putTab(state, tabId, { ...tab, title: cut(title, MAX_TITLE) });
}
