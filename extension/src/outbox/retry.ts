/** When to retry: after twice as long each time, up to five minutes, with jitter so that not all clients come at once. */
import type { Refusal, Retry } from "./database";

const FIRST_RETRY_MS = 2_000;
export const LONGEST_RETRY_MS = 300_000;

export const NO_FAILURE: Retry = { failures: 0, notBefore: 0 };

export function afterFailure(
  before: Retry,
  now: number,
  random: number,
  { retryAfterMs = 0, refusal }: { readonly retryAfterMs?: number; readonly refusal?: Refusal } = {},
): Retry {
  const failures = Math.min(before.failures + 1, 30);
  const most = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  const wait = Math.max(most * (0.5 + random / 2), Math.min(retryAfterMs, LONGEST_RETRY_MS));
  return { failures, notBefore: now + wait, ...(refusal && { refusal }) };
}

/** A time further away than the longest wait comes from a clock that has been set back since. */
export function isDue({ notBefore }: Retry, now: number): boolean {
  return now >= notBefore || notBefore - now > LONGEST_RETRY_MS;
}
