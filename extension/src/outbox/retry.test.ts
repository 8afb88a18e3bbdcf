import { expect, test } from "vitest";
import { afterFailure, isDue, LONGEST_RETRY_MS, NO_FAILURE } from "./retry";

test("why the server takes nothing is kept until it takes something", () => {
  const full = afterFailure(NO_FAILURE, 0, 0, { refusal: "no-space" });
  expect(full.refusal).toBe("no-space");
  expect(afterFailure(full, 0, 0).refusal).toBeUndefined();
});

test("delays grow, are at most five minutes, and follow Retry-After", () => {
  let retry = NO_FAILURE;
  const waits: number[] = [];
  for (let failure = 0; failure < 12; failure++) {
    retry = afterFailure(retry, 0, 1);
    waits.push(retry.notBefore);
  }
  expect(waits.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
  expect(Math.max(...waits)).toBe(LONGEST_RETRY_MS);
  expect(afterFailure(NO_FAILURE, 0, 0).notBefore).toBe(1_000);
  expect(afterFailure(NO_FAILURE, 0, 0, { retryAfterMs: 60_000 }).notBefore).toBe(60_000);
});

test("a clock that was set back does not make it wait forever", () => {
  expect(isDue({ failures: 1, notBefore: 10 * LONGEST_RETRY_MS }, 0)).toBe(true);
  expect(isDue({ failures: 1, notBefore: LONGEST_RETRY_MS }, 0)).toBe(false);
});
