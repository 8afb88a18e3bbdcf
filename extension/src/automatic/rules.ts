/**
 * Recording by itself: when a session begins, and when it ends.
 *
 *     nothing ── first page ──▶ session ── away for 30 minutes, or midnight ──▶ nothing
 *        ▲                        │
 *        └── away for 30 minutes, └── stopped by the user ──▶ held: nothing is recorded until the user
 *            or a new run ◀─────────────────────────────────  was away, or the browser was started again
 *
 * Pure: the clock is a parameter. Nothing is counted by timers, which stop with the worker and with a sleeping computer:
 * every observation is compared with when the user was last there. So an alarm may come late, or never. A clock that jumps,
 * forwards or backwards, by as much as such an absence counts as one.
 *
 * These rules hold only for sessions that began by themselves. One that the user started ends when the user stops it.
 */
import { dayOf, endOfDay } from "./days";
import { isPaused, type Pause } from "./pauses";

/** After this long without the user the next page begins another session. */
export const AWAY_MS = 30 * 60_000;

export interface Situation {
  /** The user wants it. */
  readonly isWanted: boolean;
  /** A server is connected, and recording is allowed. */
  readonly isPossible: boolean;
  /** Something is being recorded, or was and waits for the user's decision. */
  readonly isRecording: boolean;
  readonly pause: Pause | null;
  /** The user has stopped a session, and was not away since. */
  readonly isHeld: boolean;
  /** There is a page in the foreground that may be recorded. */
  readonly hasPage: boolean;
}

export function mayBegin(situation: Situation, now: number): boolean {
  const { isWanted, isPossible, isRecording, pause, isHeld, hasPage } = situation;
  return isWanted && isPossible && hasPage && !isRecording && !isHeld && !isPaused(pause, now);
}

export function wasAway(activeAt: number, now: number): boolean {
  return Math.abs(now - activeAt) >= AWAY_MS;
}

export interface Course {
  readonly startedAt: number;
  /** When the user was last there. */
  readonly activeAt: number;
  /** When the last event happened. */
  readonly lastAt: number;
}

/** When a session has ended, if it has by now; else null. Never before its last event. */
export function endOf(
  { startedAt, activeAt, lastAt }: Course,
  now: number,
  timeZone: string | undefined,
): number | null {
  const midnight = endOfDay(startedAt, timeZone);
  if (wasAway(activeAt, now)) return Math.max(startedAt, lastAt);
  if (dayOf(now, timeZone) === dayOf(startedAt, timeZone)) return null;
  // A clock that was set back to the day before ends it too.
  return Math.max(startedAt, lastAt, Math.min(midnight, now));
}
