/** Small steps that the reducer and the survey share. */
import type { Captured, CaptureState, KnownTab, Reduced } from "./model";

/** The same state with an event, or several, at `t`. */
export function speak(state: CaptureState, t: number, ...said: readonly Omit<Captured, "t">[]): Reduced {
  if (said.length === 0) return quietly(state);
  return { state: { ...state, lastAt: t }, events: said.map((event) => ({ ...event, t })) };
}

export function quietly(state: CaptureState): Reduced {
  return { state, events: [] };
}

export function put(state: CaptureState, tabId: number, tab: KnownTab): CaptureState {
  return { ...state, tabs: { ...state.tabs, [tabId]: tab } };
}

export function forget(state: CaptureState, tabId: number): CaptureState {
  const { [tabId]: gone, ...tabs } = state.tabs;
  if (gone === undefined || state.active[gone.windowId] !== tabId) return { ...state, tabs };
  const active = Object.fromEntries(Object.entries(state.active).filter(([, front]) => front !== tabId));
  return { ...state, tabs, active };
}

export function activation(tabId: number, { windowId, url, title }: KnownTab): Omit<Captured, "t"> {
  return {
    type: "TAB_ACTIVATED",
    tabId,
    windowId,
    ...(url !== null && { url, ...(title !== undefined && { payload: { title } }) }),
  };
}

export function removal(tabId: number): Omit<Captured, "t"> {
  return { type: "TAB_REMOVED", tabId };
}
