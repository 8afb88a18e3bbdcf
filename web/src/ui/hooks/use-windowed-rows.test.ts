import { expect, test } from "vitest";
import { rangeOf, topsOf } from "./use-windowed-rows";

test("only what can be seen is in the range, whatever the heights", () => {
  const heights = Array.from({ length: 5_000 }, (_, n) => (n % 3 === 0 ? 44 : 68));
  const tops = topsOf(heights);
  const { first, end } = rangeOf(tops, 100_000, 101_000);
  expect(tops[first]).toBeLessThanOrEqual(100_000);
  expect(tops[first + 1]).toBeGreaterThan(100_000);
  expect(tops[end]).toBeGreaterThanOrEqual(101_000);
  expect(end - first).toBeLessThan(25);
});

test("before the beginning and behind the end there is nothing", () => {
  const tops = topsOf([10, 10, 10]);
  expect(rangeOf(tops, -500, -100)).toEqual({ first: 0, end: 0 });
  expect(rangeOf(tops, -500, 500)).toEqual({ first: 0, end: 3 });
  expect(rangeOf(topsOf([]), 0, 100)).toEqual({ first: 0, end: 0 });
});
