import { expect, test } from "vitest";
import { exactly, inHours, inWords, ticking } from "../time/durations";
import { rangeOf, topsOf } from "./use-windowed-rows";
import i18next from "i18next";
import { startLanguages } from "../../i18n/languages";

startLanguages();
const t = i18next.getFixedT("en");

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

test.each([
  [0, "0 ms"],
  [240.4, "240 ms"],
  [999, "999 ms"],
  [3_449, "3.4 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [245_000, "4 min 5 s"],
  [4_320_000, "1 h 12 min"],
])("%d ms are %s", (ms, words) => {
  expect(inWords(ms, t)).toBe(words);
});

test.each([
  [0, "0 min"],
  [20_000, "< 1 min"],
  [59 * 60_000, "59 min"],
  [7_200_000, "2 h"],
  [100 * 3_600_000 + 60_000, "100 h 1 min"],
])("%d ms in hours are %s", (ms, words) => {
  expect(inHours(ms, t)).toBe(words);
});

test("exact to the millisecond", () => {
  expect(exactly(3_723_456)).toBe("1:02:03.456");
  expect(exactly(5_007)).toBe("0:05.007");
  expect(ticking(725_000)).toBe("12:05");
  expect(ticking(-5)).toBe("0:00");
});
