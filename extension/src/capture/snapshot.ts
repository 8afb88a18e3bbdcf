/**
 * Compares a snapshot of all tabs and the focus with what is known, and emits only the differences. At the start of a
 * recording, and after the browser was restarted, that is everything. Later it catches up on events that were missed while
 * the service worker was stopped; usually there are none.
 */
import { MAX_TITLE } from "@mindhit/client";
import type { NewEvent } from "./events";
import { hasCredentials, recordableUrl, type Rules } from "./exclusions";
import type { OpenTab, Snapshot } from "./observations";
import { type CaptureState, emit, type KnownTab, NOTHING_KNOWN, type Reduced } from "./state";
import { activation, forgetTab, removal } from "./tabs";
import { cut } from "./text";

type Event = Omit<NewEvent, "t">;

export function compareSnapshot(before: CaptureState, snapshot: Snapshot, rules: Rules): Reduced {
  const { t, tabs, focusedWindowId, presence, isRestart } = snapshot;
  const known = isRestart ? { ...NOTHING_KNOWN, heard: before.heard } : before;
  const [left, removals] = removeClosed(known, tabs);
  const state: CaptureState = {
    ...left,
    tabs: Object.fromEntries(tabs.map((tab) => [tab.id, describe(left.tabs[tab.id], tab, rules)])),
    active: Object.fromEntries(tabs.filter((tab) => tab.isActive).map((tab) => [tab.windowId, tab.id])),
    frontAt: t,
    focusedWindowId,
    presence: presence?.state ?? left.presence,
  };
  const open = tabs.filter((tab) => !tab.isPrivate);
  const events: Event[] = [];
  // First: without it the server would have to guess which of the active tabs has the focus.
  if (focusedWindowId !== known.focusedWindowId)
    events.push({
      type: "WINDOW_FOCUS_CHANGED",
      windowId: focusedWindowId,
      payload: { focused: focusedWindowId >= 0 },
    });
  events.push(...removals, ...open.flatMap((tab) => differences(left, state, tab)));
  if (presence !== undefined && presence.state !== known.presence)
    events.push({ type: "IDLE_STATE_CHANGED", payload: presence });
  return emit(state, t, ...(isRestart ? flagRestart(events) : events));
}

function removeClosed(known: CaptureState, open: readonly OpenTab[]): [CaptureState, Event[]] {
  const ids = new Set(open.map((tab) => tab.id));
  const closed = Object.entries(known.tabs).filter(([id]) => !ids.has(Number(id)));
  const left = closed.reduce((state, [id]) => forgetTab(state, Number(id)), known);
  return [left, closed.filter(([, tab]) => !tab.isPrivate).map(([id]) => removal(Number(id)))];
}

function describe(known: KnownTab | undefined, tab: OpenTab, rules: Rules): KnownTab {
  if (tab.isPrivate) return { windowId: tab.windowId, url: null, isPrivate: true };
  const url = recordableUrl(tab.url, rules);
  if (known?.url === url) return { ...known, windowId: tab.windowId };
  return {
    windowId: tab.windowId,
    url,
    ...(url !== null && hasCredentials(tab.url) && { noFetch: true }),
    ...(url !== null && tab.title && { title: cut(tab.title, MAX_TITLE) }),
  };
}

/** What changed in one tab. A tab that was never active causes no event; it will when it is activated. */
function differences(before: CaptureState, now: CaptureState, { id, windowId }: OpenTab): Event[] {
  const tab = now.tabs[id];
  if (tab === undefined) return [];
  const isActive = now.active[windowId] === id;
  if (isActive && before.active[windowId] !== id) return [activation(id, tab)];
  const known = before.tabs[id];
  if (known === undefined || known.url === tab.url) return [];
  const payload = tab.noFetch && { payload: { noFetch: true } };
  return [
    { type: "NAV_COMMITTED", tabId: id, windowId, ...(tab.url !== null && { url: tab.url, ...payload }) },
  ];
}

/** The first event after a restart has `restart: true`. */
function flagRestart(events: readonly Event[]): Event[] {
  return events.map((event, index) =>
    index === 0 ? { ...event, payload: { ...event.payload, restart: true } } : event,
  );
}
