/**
 * A survey of the browser: all of its tabs and the focus. At the start, and after the browser was started anew, it is the
 * snapshot that a recording begins with. Later it mends what was missed while the service worker was dead, and usually
 * there is nothing to mend.
 */
import {
  type Captured,
  type CaptureState,
  type KnownTab,
  NOTHING_KNOWN,
  type OpenTab,
  type Reduced,
  type Rules,
  type Survey,
} from "./model";
import { speakable } from "./pages";
import { activation, forget, removal, speak } from "./tabs";
import { cut, MAX_TITLE } from "./text";

type Said = Omit<Captured, "t">;

export function survey(before: CaptureState, found: Survey, rules: Rules): Reduced {
  const known = found.isRestart ? { ...NOTHING_KNOWN, heard: before.heard } : before;
  const open = found.tabs.filter((tab) => !tab.isPrivate);
  const focusedWindowId = found.focusedWindowId;
  const [left, removals] = removeClosed(known, found.tabs);
  const state: CaptureState = {
    ...left,
    tabs: Object.fromEntries(found.tabs.map((tab) => [tab.id, describe(left.tabs[tab.id], tab, rules)])),
    active: Object.fromEntries(found.tabs.filter((tab) => tab.isActive).map((tab) => [tab.windowId, tab.id])),
    frontAt: found.t,
    focusedWindowId,
    presence: found.presence?.state ?? left.presence,
  };
  const { presence } = found;
  const isPresenceNew = presence !== undefined && presence.state !== known.presence;
  const said = [...removals, ...open.flatMap((tab) => differences(left, state, tab))];
  if (focusedWindowId !== known.focusedWindowId)
    said.push({
      type: "WINDOW_FOCUS_CHANGED",
      windowId: focusedWindowId,
      payload: { focused: focusedWindowId >= 0 },
    });
  if (isPresenceNew) said.push({ type: "IDLE_STATE_CHANGED", payload: presence });
  return speak(state, found.t, ...(found.isRestart ? marked(said) : said));
}

function removeClosed(known: CaptureState, open: readonly OpenTab[]): [CaptureState, Said[]] {
  const ids = new Set(open.map((tab) => tab.id));
  const closed = Object.entries(known.tabs).filter(([id]) => !ids.has(Number(id)));
  const left = closed.reduce((state, [id]) => forget(state, Number(id)), known);
  return [left, closed.filter(([, tab]) => !tab.isPrivate).map(([id]) => removal(Number(id)))];
}

function describe(known: KnownTab | undefined, tab: OpenTab, rules: Rules): KnownTab {
  if (tab.isPrivate) return { windowId: tab.windowId, url: null, isPrivate: true };
  const url = speakable(tab.url, rules);
  if (known?.url === url) return { ...known, windowId: tab.windowId };
  return {
    windowId: tab.windowId,
    url,
    ...(url !== null && tab.title && { title: cut(tab.title, MAX_TITLE) }),
  };
}

/** What has to be told of one tab. Of tabs that were never in front nothing is: they are told when they come there. */
function differences(before: CaptureState, now: CaptureState, { id, windowId }: OpenTab): Said[] {
  const tab = now.tabs[id];
  if (tab === undefined) return [];
  const isInFront = now.active[windowId] === id;
  if (isInFront && before.active[windowId] !== id) return [activation(id, tab)];
  const known = before.tabs[id];
  if (known === undefined || known.url === tab.url) return [];
  return [{ type: "NAV_COMMITTED", tabId: id, windowId, ...(tab.url !== null && { url: tab.url }) }];
}

/** The first event after a restart says so; without tabs it is the focus. */
function marked(said: readonly Said[]): Said[] {
  return said.map((event, index) =>
    index === 0 ? { ...event, payload: { ...event.payload, restart: true } } : event,
  );
}
