/**
 * The page in the foreground, and how long it was there: what the popup counts as pages and names a session after. The same
 * rules as the server's `timeline/fold.py`: a page counts if it had the focus, with the user there, for more than 0 ms. A
 * redirect's step does not; idleness began `thresholdMs` before it was noticed; a longer silence than `SILENCE_MS` is sleep.
 */
import { SILENCE_MS } from "@mindhit/client";
import type { NewEvent } from "./events";
import type { Observation } from "./observations";
import { pageIdentity } from "./page-identity";
import { type CaptureState, type Foreground, isUsed, type Reduced } from "./state";

/** Not stored more often: each time costs a transaction. */
const ACTIVITY_STEP_MS = 10_000;

/** A stay in the foreground that has ended. */
export interface Stay {
  readonly url: string;
  readonly title?: string | undefined;
  readonly ms: number;
}

export interface Followed {
  readonly state: CaptureState;
  readonly stays: readonly Stay[];
}

/** Follows from what was reduced which page is in the foreground now, and which stay has ended. */
export function follow(before: CaptureState, observation: Observation, { state, events }: Reduced): Followed {
  const lastAt = before.clock ?? before.lastAt;
  // As on the server, time never runs backwards.
  const t = Math.max(events.at(-1)?.t ?? observation.t, lastAt ?? 0);
  const now = inForeground(state);
  const was = before.foreground ?? null;
  const leftAt = Math.max(idleSince(events, t) ?? t, was?.since ?? 0);
  const next = { ...(events.length > 0 && { clock: t }), activeAt: lastActive(before, state, t, leftAt) };
  const isRestart = observation.kind === "snapshot" && observation.isRestart;
  const isGap = isRestart || (lastAt !== null && t - lastAt > SILENCE_MS);
  if (isSameStay(was, now) && !isGap) return { state: changed(state, described(was, now), next), stays: [] };
  const isStep = events.some(({ payload }) => payload?.redirect === true);
  const foreground = now === null ? null : { ...now, since: isStep && was !== null ? was.since : t };
  const ms = was === null || isStep ? 0 : (isGap ? (lastAt ?? t) : leftAt) - was.since;
  const stays = was !== null && ms > 0 ? [{ url: was.url, title: was.title, ms }] : [];
  return { state: changed(state, foreground, next), stays };
}

interface Next {
  readonly clock?: number | undefined;
  readonly activeAt: number | undefined;
}

/** The same object if nothing has changed: then nothing has to be stored. */
function changed(state: CaptureState, foreground: Foreground | null, next: Next): CaptureState {
  const { clock = state.clock, activeAt } = next;
  const isSame = (state.foreground ?? null) === foreground && state.activeAt === activeAt;
  if (isSame && state.clock === clock) return state;
  return {
    ...state,
    foreground,
    ...(activeAt !== undefined && { activeAt }),
    ...(clock !== undefined && { clock }),
  };
}

/** The same page in the same tab, whatever its address looks like. */
function isSameStay(was: Foreground | null, now: Omit<Foreground, "since"> | null): boolean {
  if (was === null || now === null) return was === now;
  const isOtherTab = was.tabId !== undefined && was.tabId !== now.tabId;
  return !isOtherTab && (was.url === now.url || pageIdentity(was.url) === pageIdentity(now.url));
}

function inForeground(state: CaptureState): Omit<Foreground, "since"> | null {
  if (!isUsed(state)) return null;
  const tabId = state.active[state.focusedWindowId ?? -1] ?? -1;
  const tab = state.tabs[tabId];
  if (tab === undefined || tab.url === null || tab.isPrivate) return null;
  return { url: tab.url, tabId, ...(tab.title !== undefined && { title: tab.title }) };
}

/** The stay goes on, perhaps with another title or at another address of the same page. */
function described(was: Foreground | null, now: Omit<Foreground, "since"> | null): Foreground | null {
  if (was === null || now === null) return was;
  if (now.url === was.url && (now.title === undefined || now.title === was.title)) return was;
  return { ...was, ...now };
}

/** When the user went idle, if these events say so: before it was noticed. */
function idleSince(events: readonly NewEvent[], t: number): number | undefined {
  const idle = events.find(({ payload }) => payload?.state === "idle");
  return idle === undefined ? undefined : t - (idle.payload?.thresholdMs ?? 0);
}

/** When the user was last there; as long as the user is there, to within `ACTIVITY_STEP_MS`. */
function lastActive(before: CaptureState, now: CaptureState, t: number, leftAt: number): number | undefined {
  const { activeAt } = before;
  if (isUsed(now)) return activeAt !== undefined && Math.abs(t - activeAt) < ACTIVITY_STEP_MS ? activeAt : t;
  return isUsed(before) ? Math.max(activeAt ?? 0, leftAt) : activeAt;
}
