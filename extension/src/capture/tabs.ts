/** Tabs: created, activated, moved between windows, replaced, closed. */
import type { SentPayload } from "@mindhit/client";
import type { NewEvent } from "./events";
import type { Activated, Attached, Created, Replaced } from "./observations";
import { type CaptureState, emit, type KnownTab, noEvents, type Reduced } from "./state";

/** How late a busy browser or page may notice that a tab was activated. */
export const ACTIVATION_LATE_MS = 250;

export function create(state: CaptureState, { tabId, windowId, openerTabId, isPrivate }: Created): Reduced {
  if (state.tabs[tabId] !== undefined) return noEvents(state);
  const tab: KnownTab = {
    windowId,
    url: null,
    ...(isPrivate && { isPrivate }),
    ...(openerTabId !== undefined && { openerTabId }),
  };
  return noEvents(putTab(state, tabId, tab));
}

export function activate(state: CaptureState, { t: noticedAt, tabId, windowId }: Activated): Reduced {
  if (state.active[windowId] === tabId) return noEvents(state);
  const t = afterPrevious(state.frontAt, noticedAt);
  const tab: KnownTab = { url: null, ...state.tabs[tabId], windowId, broughtAt: t };
  const next = { ...putTab(state, tabId, tab), active: { ...state.active, [windowId]: tabId }, frontAt: t };
  return tab.isPrivate ? noEvents(next) : emit(next, t, activation(tabId, tab));
}

/**
 * A delayed worker is told of several tabs in one millisecond. Each of them was active, if only briefly, and the server
 * drops visits of 0 ms: so they are put 1 ms apart. A clock that was set back is left alone.
 */
function afterPrevious(frontAt: number, t: number): number {
  return frontAt - t < ACTIVATION_LATE_MS ? Math.max(t, frontAt + 1) : t;
}

/** Moved to another window; the browser then activates it there. */
export function attach(state: CaptureState, { tabId, windowId }: Attached): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.windowId === windowId) return noEvents(state);
  const { [tab.windowId]: active, ...others } = state.active;
  return noEvents({
    ...putTab(state, tabId, { ...tab, windowId }),
    active: active === tabId ? others : state.active,
  });
}

export function replace(state: CaptureState, { t, tabId, removedTabId }: Replaced): Reduced {
  const old = state.tabs[removedTabId];
  if (old === undefined || old.isPrivate) return noEvents(state);
  const isActive = state.active[old.windowId] === removedTabId;
  const removed = remove(state, t, removedTabId);
  const next = putTab(removed.state, tabId, { windowId: old.windowId, url: null });
  if (!isActive) return { state: next, events: removed.events };
  const activated = activate(next, { kind: "activated", t, tabId, windowId: old.windowId });
  return { state: activated.state, events: [...removed.events, ...activated.events] };
}

export function remove(state: CaptureState, t: number, tabId: number): Reduced {
  const tab = state.tabs[tabId];
  if (tab === undefined) return noEvents(state);
  const next = forgetTab(state, tabId);
  return tab.isPrivate ? noEvents(next) : emit(next, t, removal(tabId));
}

export function putTab(state: CaptureState, tabId: number, tab: KnownTab): CaptureState {
  return { ...state, tabs: { ...state.tabs, [tabId]: tab } };
}

export function forgetTab(state: CaptureState, tabId: number): CaptureState {
  const { [tabId]: gone, ...tabs } = state.tabs;
  if (gone === undefined || state.active[gone.windowId] !== tabId) return { ...state, tabs };
  const active = Object.fromEntries(Object.entries(state.active).filter(([, id]) => id !== tabId));
  return { ...state, tabs, active };
}

export function activation(tabId: number, { windowId, url, title, noFetch }: KnownTab): Omit<NewEvent, "t"> {
  const payload: SentPayload = { ...(title !== undefined && { title }), ...(noFetch && { noFetch }) };
  return {
    type: "TAB_ACTIVATED",
    tabId,
    windowId,
    ...(url !== null && { url, ...(Object.keys(payload).length > 0 && { payload }) }),
  };
}

export function removal(tabId: number): Omit<NewEvent, "t"> {
  return { type: "TAB_REMOVED", tabId };
}
