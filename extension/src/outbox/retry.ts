/** When to try again: twice as long after each failure, up to five minutes, and never all clients at once. */
import type { Retry } from "./database";

const FIRST_MS = 2_000;
export const LONGEST_MS = 300_000;

export const NO_FAILURE: Retry = { failures: 0, notBefore: 0 };

export function afterFailure(before: Retry, now: number, random: number, askedMs = 0): Retry {
  const failures = Math.min(before.failures + 1, 30);
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  const wait = Math.max(most * (0.5 + random / 2), Math.min(askedMs, LONGEST_MS));
  return { failures, notBefore: now + wait };
}

/** A time further away than any wait was set by a clock that has been put back since. */
export function isDue({ notBefore }: Retry, now: number): boolean {
  return now >= notBefore || notBefore - now > LONGEST_MS;
}
