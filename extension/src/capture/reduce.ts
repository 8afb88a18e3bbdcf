/**
 * The reducer: (what is known, what happened) → (what is known now, the events to send).
 *
 * Pure: no browser, no clock, no storage. Rules that are not seen at once:
 *
 * - A page that may not be named is an event without address: the visit before it ends.
 * - `redirect` is set where the document before it in the tab was itself only a step: it was committed moments ago and
 *   sent its reader on by itself. A redirect by the server never commits its steps, so there is nothing to take over.
 *   A route within a document is none, though Chromium says of all of them how the document itself was reached.
 * - A script that sets the address it already has says nothing.
 * - A survey tells only what differs from what is known: all of it at the start, nothing when nothing was missed.
 * - Private tabs are never spoken of.
 */
import { NO_TAB } from "./model";
import type {
  Activated,
  Captured,
  CaptureState,
  Committed,
  Extracted,
  Happening,
  Highlighted,
  KnownTab,
  Moved,
  Payload,
  Reduced,
  Replaced,
  Rules,
  Settled,
  Shown,
} from "./model";
import { speakable } from "./pages";
import { survey } from "./survey";
import { cut, cutAll, MAX_CONTENT, MAX_HIGHLIGHT, MAX_TITLE } from "./text";
import { heardNow, isHeard, isTurn, type Word } from "./words";
import { activation, forget, put, quietly, removal, speak } from "./tabs";

/** So long after its commit a page that sends its reader on was only a step. */
export const HOP_MS = 2_000;
/** Any event tells that the browser is awake; after so long without one, `ALIVE` does. */
export const ALIVE_AFTER_MS = 45_000;
/** So late may a busy page hear that it is in front, when it is so no more. */
export const LATE_MS = 250;
/** So long after the browser's word a page's own word is taken to mean the same. */
export const ECHO_MS = 10_000;

export function reduce(state: CaptureState, happening: Happening, rules: Rules): Reduced {
  switch (happening.kind) {
    case "survey":
      return survey(state, happening, rules);
    case "created":
      return create(state, happening);
    case "activated":
      return activate(state, happening);
    case "committed":
      return commit(state, happening, rules);
    case "settled":
      return settle(state, happening, rules);
    case "attached":
      return attach(state, happening.tabId, happening.windowId);
    case "replaced":
      return replace(state, happening);
    case "removed":
      return remove(state, happening.t, happening.tabId);
    case "focused": {
      const { t, windowId } = happening;
      if (windowId === state.focusedWindowId) return quietly(state);
      return speak({ ...state, focusedWindowId: windowId }, t, {
        type: "WINDOW_FOCUS_CHANGED",
        windowId,
        payload: { focused: windowId >= 0 },
      });
    }
    case "idle": {
      const { t, state: presence, thresholdMs } = happening;
      if (presence === state.presence) return quietly(state);
      const payload = { state: presence, thresholdMs };
      return speak({ ...state, presence }, t, { type: "IDLE_STATE_CHANGED", payload });
    }
    case "shown":
    case "moved":
    case "highlight":
    case "content": {
      const word = withTab(state, happening);
      if (word.tabId === NO_TAB) return quietly(state);
      return heed(state, word, (before) => understand(before, word, rules));
    }
    case "tick":
      if (state.lastAt !== null && Math.abs(happening.t - state.lastAt) < ALIVE_AFTER_MS)
        return quietly(state);
      return speak(state, happening.t, { type: "ALIVE" });
  }
}

function create(state: CaptureState, made: Happening & { kind: "created" }): Reduced {
  const { tabId, windowId, openerTabId, isPrivate } = made;
  if (state.tabs[tabId] !== undefined) return quietly(state);
  const tab: KnownTab = {
    windowId,
    url: null,
    ...(isPrivate && { isPrivate }),
    ...(openerTabId !== undefined && { openerTabId }),
  };
  return quietly(put(state, tabId, tab));
}

function activate(state: CaptureState, { t: heardAt, tabId, windowId }: Activated): Reduced {
  if (state.active[windowId] === tabId) return quietly(state);
  const t = after(state.frontAt, heardAt);
  const tab: KnownTab = { url: null, ...state.tabs[tabId], windowId, broughtAt: t };
  const next = { ...put(state, tabId, tab), active: { ...state.active, [windowId]: tabId }, frontAt: t };
  return tab.isPrivate ? quietly(next) : speak(next, t, activation(tabId, tab));
}

/**
 * A worker that was held up hears of several tabs in one millisecond, and each of them was in front, if only for a moment:
 * a visit of no length would be none. A clock that was set back is another matter.
 */
function after(frontAt: number, t: number): number {
  return frontAt - t < LATE_MS ? Math.max(t, frontAt + 1) : t;
}

function commit(state: CaptureState, happening: Committed, rules: Rules): Reduced {
  const { t, tabId, isSameDocument, transition } = happening;
  const before = state.tabs[tabId];
  const url = speakable(happening.url, rules);
  if (before?.isPrivate) return quietly(state);
  const isKnown = isSameDocument || url === null || before?.committedAt === t;
  if (before?.url === url && isKnown) return quietly(state);
  const payload: Payload = {
    ...(transition !== undefined && { transition }),
    ...(isStep(before, happening) && { redirect: true }),
    ...(before?.openerTabId !== undefined && { openerTabId: before.openerTabId }),
  };
  const tab: KnownTab = {
    windowId: before?.windowId ?? state.focusedWindowId ?? 0,
    url,
    committedAt: t,
    // A new document has not heard of it.
    ...(before?.broughtAt !== undefined && isSameDocument && { broughtAt: before.broughtAt }),
  };
  return speak(put(state, tabId, tab), t, {
    type: "NAV_COMMITTED",
    tabId,
    ...(before !== undefined && { windowId: before.windowId }),
    ...(url !== null && { url, ...(Object.keys(payload).length > 0 && { payload }) }),
  });
}

/** Whether the page before was only a step on the way here. */
function isStep(before: KnownTab | undefined, { t, isSameDocument, qualifiers }: Committed): boolean {
  if (isSameDocument || before?.committedAt === undefined || before.url === null) return false;
  return qualifiers?.includes("client_redirect") === true && t - before.committedAt <= HOP_MS;
}

/**
 * A title that a page in front is given is told at once: it may be left before it is read. Pages elsewhere bring theirs along
 * when they come to the front. The title at a load's end is perhaps that of the route before, and is only remembered.
 */
function settle(state: CaptureState, { t, tabId, url: told, title }: Settled, rules: Rules): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.isPrivate) return quietly(state);
  const url = speakable(told, rules);
  if (told !== undefined && url !== null && url !== tab.url) {
    const moved = commit(state, { kind: "committed", t, tabId, url: told, isSameDocument: true }, rules);
    return { ...moved, state: named(moved.state, tabId, title) };
  }
  const next = named(state, tabId, title);
  const now = next.tabs[tabId];
  const isFirst = tab.title === undefined && now?.title !== undefined;
  if (!isFirst || told !== undefined || state.active[tab.windowId] !== tabId) return quietly(next);
  return speak(next, t, { ...activation(tabId, now), type: "NAV_COMMITTED" });
}

function named(state: CaptureState, tabId: number, title: string | undefined): CaptureState {
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.url === null || !title) return state;
  return put(state, tabId, { ...tab, title: cut(title, MAX_TITLE) });
}

/** Moved to another window; that it is in front there is told by its activation. */
function attach(state: CaptureState, tabId: number, windowId: number): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.windowId === windowId) return quietly(state);
  const { [tab.windowId]: front, ...others } = state.active;
  const active = front === tabId ? others : state.active;
  return quietly({ ...put(state, tabId, { ...tab, windowId }), active });
}

function replace(state: CaptureState, { t, tabId, removedTabId }: Replaced): Reduced {
  const old = state.tabs[removedTabId];
  if (old === undefined || old.isPrivate) return quietly(state);
  const isActive = state.active[old.windowId] === removedTabId;
  const removed = remove(state, t, removedTabId);
  const next = put(removed.state, tabId, { windowId: old.windowId, url: null });
  if (!isActive) return { state: next, events: removed.events };
  const front = activate(next, { kind: "activated", t, tabId, windowId: old.windowId });
  return { state: front.state, events: [...removed.events, ...front.events] };
}

function remove(state: CaptureState, t: number, tabId: number): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined) return quietly(state);
  const next = forget(state, tabId);
  return tab.isPrivate ? quietly(next) : speak(next, t, removal(tabId));
}

function understand(state: CaptureState, word: Word, rules: Rules): Reduced {
  switch (word.kind) {
    case "shown":
      return bringForward(state, word, rules);
    case "moved":
      return follow(state, word, rules);
    case "highlight":
      return highlight(state, word, rules);
    case "content":
      return extract(state, word, rules);
  }
}

/**
 * A page that was gone before it heard which tab it is in was in the one that was in front; where it came there only then,
 * in the one that has its address.
 */
function withTab<W extends Word>(state: CaptureState, word: W): W {
  if (word.tabId !== NO_TAB) return word;
  const front = state.active[state.focusedWindowId ?? NO_TAB];
  const same = Object.keys(state.tabs).filter((id) => state.tabs[Number(id)]?.url === word.url);
  const tabId = isTurn(word) ? (same.length === 1 ? Number(same[0]) : undefined) : front;
  const tab = tabId === undefined ? undefined : state.tabs[tabId];
  return tabId === undefined || tab === undefined ? word : { ...word, tabId, windowId: tab.windowId };
}

/** What a page's script says counts once, however often it is said, and though another page is in its tab by then. */
function heed(state: CaptureState, { message }: Word, take: (state: CaptureState) => Reduced): Reduced {
  if (message === undefined) return take(state);
  if (isHeard(state.heard, message)) return quietly(state);
  return take({ ...state, heard: heardNow(state.heard, message) });
}

/**
 * A page is in front. Where the browser's own word for it was lost, the page's is as good, and has the time. Each word of
 * the browser has one of the page that follows it: a second one is of another time.
 */
function bringForward(before: CaptureState, shown: Shown, rules: Rules): Reduced {
  const { t, tabId, windowId, url: told, bornAt, isFirst } = shown;
  const tab = before.tabs[tabId];
  const url = speakable(told, rules);
  // Said before the tab went elsewhere: it was overtaken.
  if (tab?.isPrivate || url === null || t < (tab?.committedAt ?? 0)) return quietly(before);
  // Of a word that was put into order it is known what it belongs to, if that was told with it.
  const within = shown.isSure === true ? LATE_MS : ECHO_MS;
  const isEcho = !isFirst && tab?.broughtAt !== undefined && t < tab.broughtAt + within;
  const state = isEcho ? answered(before, tabId) : before;
  const moved: Committed = {
    kind: "committed",
    t: Math.min(bornAt, t),
    tabId,
    url: told,
    isSameDocument: true,
  };
  const arrived = tab?.url === url ? quietly(state) : commit(state, moved, rules);
  const isOvertaken = t < state.frontAt;
  const isSure = shown.isSure === true || shown.isActive || t >= state.frontAt + LATE_MS;
  if (isEcho || isOvertaken || !isSure) return arrived;
  const front = activate(arrived.state, { kind: "activated", t, tabId, windowId });
  return { state: answered(front.state, tabId), events: [...arrived.events, ...front.events] };
}

/** The page has said that it is in front: no more words of that are awaited. */
function answered(state: CaptureState, tabId: number): CaptureState {
  const { broughtAt, ...tab } = state.tabs[tabId] ?? {};
  return broughtAt === undefined ? state : put(state, tabId, tab as KnownTab);
}

/** A script has changed the page's address. The browser has said so already, unless its word was lost. */
function follow(state: CaptureState, { t, tabId, url }: Moved, rules: Rules): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined || t < (tab.committedAt ?? 0)) return quietly(state);
  return commit(state, { kind: "committed", t, tabId, url, isSameDocument: true }, rules);
}

function highlight(state: CaptureState, happening: Highlighted, rules: Rules): Reduced {
  const { t, tabId } = happening;
  const tab = state.tabs[tabId];
  const url = speakable(happening.url, rules);
  const text = cut(happening.text.trim(), MAX_HIGHLIGHT);
  if (tab?.isPrivate || url === null || text === "" || tab?.highlight === text) return quietly(state);
  const next = tab === undefined ? state : put(state, tabId, { ...tab, highlight: text });
  return speak(next, t, { type: "HIGHLIGHT", tabId, url, payload: { text } });
}

function extract(state: CaptureState, happening: Extracted, rules: Rules): Reduced {
  const { t, tabId, content, extractionOk } = happening;
  const url = speakable(happening.url, rules);
  if (state.tabs[tabId]?.isPrivate || url === null) return quietly(state);
  const meta = cutAll(happening.meta);
  const event: Omit<Captured, "t"> = {
    type: "CONTENT_EXTRACTED",
    tabId,
    url,
    payload: { content: cut(content, MAX_CONTENT), extractionOk, meta },
  };
  const isShown = state.tabs[tabId]?.url === url;
  return speak(isShown ? named(state, tabId, meta.title) : state, t, event);
}
