/** A tab has a new URL or title. */
import { MAX_TITLE, type SentPayload } from "@mindhit/client";
import { recordableUrl, type Rules } from "./exclusions";
import type { Committed, Updated } from "./observations";
import { isRedirect } from "./redirects";
import { type CaptureState, emit, type KnownTab, noEvents, type Reduced } from "./state";
import { activation, putTab } from "./tabs";
import { cut } from "./text";

export function commit(state: CaptureState, committed: Committed, rules: Rules): Reduced {
  const { t, tabId, isSameDocument, transition } = committed;
  const before = state.tabs[tabId];
  const url = recordableUrl(committed.url, rules);
  if (before?.isPrivate) return noEvents(state);
  // A script that sets the URL the page already has changes nothing; neither does a commit that was observed twice.
  const isKnown = isSameDocument || url === null || before?.committedAt === t;
  if (before?.url === url && isKnown) return noEvents(state);
  const payload: SentPayload = {
    ...(transition !== undefined && { transition }),
    ...(isRedirect(before, committed) && { redirect: true }),
    ...(before?.openerTabId !== undefined && { openerTabId: before.openerTabId }),
  };
  const tab: KnownTab = {
    windowId: before?.windowId ?? state.focusedWindowId ?? 0,
    url,
    committedAt: t,
    // A new document will not report an activation that happened before it.
    ...(before?.broughtAt !== undefined && isSameDocument && { broughtAt: before.broughtAt }),
  };
  return emit(putTab(state, tabId, tab), t, {
    type: "NAV_COMMITTED",
    tabId,
    ...(before !== undefined && { windowId: before.windowId }),
    ...(url !== null && { url, ...(Object.keys(payload).length > 0 && { payload }) }),
  });
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
