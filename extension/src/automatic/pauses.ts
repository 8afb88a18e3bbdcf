/** Pauses: the user doesn't want to be recorded for a while. */
import { endOfDay } from "./days";

const HOUR_MS = 3_600_000;
/** A pause "until tomorrow" is no longer than a day, and a day no longer than this. */
const LONGEST_MS = 26 * HOUR_MS;

/** How long: for an hour, until tomorrow, or (`null` as its end) until the user resumes. */
export type PauseLength = "hour" | "tomorrow" | "resumed";

export interface Pause {
  readonly from: number;
  readonly until: number | null;
}

export function pauseFrom(now: number, length: PauseLength, timeZone: string | undefined): Pause {
  switch (length) {
    case "hour":
      return { from: now, until: now + HOUR_MS };
    case "tomorrow":
      return { from: now, until: endOfDay(now, timeZone) };
    case "resumed":
      return { from: now, until: null };
  }
}

/** An end that is further away than any pause is long comes from a clock that has been set back since: it is over. */
export function isPaused(pause: Pause | null, now: number): boolean {
  if (pause === null) return false;
  return pause.until === null || (now < pause.until && pause.until - now <= LONGEST_MS);
}
