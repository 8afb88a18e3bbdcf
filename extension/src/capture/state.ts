/**
 * What the reducer knows of the browser. Stored with the recording in IndexedDB, so renaming a field needs a migration, and
 * a field that was added later may be absent.
 */
import type { Presence } from "@mindhit/client";
import type { NewEvent } from "./events";

/** What is known of a tab. `url` is null if its page must not be recorded. */
export interface KnownTab {
  readonly windowId: number;
  readonly url: string | null;
  readonly title?: string;
  readonly isPrivate?: true;
  /** The server must not fetch its page. */
  readonly noFetch?: true;
  /** When its URL was committed (see `redirects.ts`). */
  readonly committedAt?: number;
  /** The tab it was opened from, until its first page is known. */
  readonly openerTabId?: number;
  /** When the browser activated it, until its page has reported the same. */
  readonly broughtAt?: number;
  /** The last highlight, so that a content script that was injected again does not repeat it. */
  readonly highlight?: string;
}

/** The page in the foreground: that of the active tab of the focused window, while the user is there. */
export interface Foreground {
  readonly url: string;
  readonly since: number;
  readonly title?: string;
  readonly tabId?: number;
}

export interface CaptureState {
  readonly tabs: Readonly<Record<number, KnownTab>>;
  /** The active tab of each window. */
  readonly active: Readonly<Record<number, number>>;
  /** When a tab was last activated, in any window. */
  readonly frontAt: number;
  /** null until it is known. */
  readonly focusedWindowId: number | null;
  readonly presence: Presence;
  /** When the last event happened. */
  readonly lastAt: number | null;
  /** The id of the last report of each recent content script. */
  readonly heard: readonly string[];
  readonly foreground?: Foreground | null;
  /** The latest time of any event. */
  readonly clock?: number;
  /** When the user was last seen using the browser. */
  readonly activeAt?: number;
  /** When the browser was awake while the user was away: sent when the user comes back (see `alive.ts`). */
  readonly awakeAt?: readonly number[];
}

export const NOTHING_KNOWN: CaptureState = {
  tabs: {},
  active: {},
  frontAt: 0,
  focusedWindowId: null,
  presence: "active",
  lastAt: null,
  heard: [],
};

export interface Reduced {
  readonly state: CaptureState;
  readonly events: readonly NewEvent[];
}

/** The new state with events that happened at `t`. */
export function emit(state: CaptureState, t: number, ...events: readonly Omit<NewEvent, "t">[]): Reduced {
  if (events.length === 0) return noEvents(state);
  const { awakeAt = [], ...next } = state;
  const awake = awakeAt.filter((at) => at < t).map((at) => ({ type: "ALIVE" as const, t: at }));
  return { state: { ...next, lastAt: t }, events: [...awake, ...events.map((event) => ({ ...event, t }))] };
}

export function noEvents(state: CaptureState): Reduced {
  return { state, events: [] };
}

/** Whether the user is using the browser: neither idle nor in another program. */
export function isUsed({ presence, focusedWindowId }: CaptureState): boolean {
  return presence === "active" && (focusedWindowId ?? -1) >= 0;
}
