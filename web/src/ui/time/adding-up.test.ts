import { expect, test } from "vitest";
import { roundParts } from "./adding-up";

const MINUTE = 60_000;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Parts as charts have them: nothing, moments, minutes, hours, and full minutes. */
function partsOf(seed: number): number[] {
  const next = numbers(seed);
  const pick = () =>
    [0, 1, 59_999, MINUTE, Math.floor(next() * 3_000), Math.floor(next() * 40 * MINUTE)][
      Math.floor(next() * 6)
    ] ?? 0;
  return Array.from({ length: Math.floor(next() * 31) }, pick);
}

test("whatever the parts: they add up to the total, none is a whole minute off, and longer is never shorter", () => {
  for (let seed = 0; seed < 1_000; seed += 1) {
    const parts = partsOf(seed);
    const nearest = Math.floor(sum(parts) / MINUTE + 0.5);
    expect(sum(roundParts(parts, MINUTE))).toBe(nearest);
    // Where the total is given by what is above it, it may be the minute below or above.
    for (const total of [Math.floor(sum(parts) / MINUTE), Math.ceil(sum(parts) / MINUTE)]) {
      const rounded = roundParts(parts, MINUTE, total);
      expect(sum(rounded)).toBe(total);
      for (const [n, ms] of parts.entries()) {
        expect(Math.abs((rounded[n] ?? NaN) * MINUTE - ms)).toBeLessThan(MINUTE);
        for (const [other, less] of parts.entries())
          if (less < ms) expect(rounded[other]).toBeLessThanOrEqual(rounded[n] ?? NaN);
      }
    }
  }
});

test("full minutes stay as they are, and nothing is nothing", () => {
  expect(roundParts([3 * MINUTE, 0, MINUTE], MINUTE)).toEqual([3, 0, 1]);
  expect(roundParts([], MINUTE)).toEqual([]);
});

test("of equal parts the first are rounded up", () => {
  expect(roundParts([100_000, 100_000, 100_000], MINUTE)).toEqual([2, 2, 1]); // one by one they would be 6
});
