import { expect, test } from "vitest";
import { translator } from "../../i18n/translate";
import cases from "./durations.json";
import { exactly, inHours, inWords, ticking } from "./durations";

const t = translator("en");

test.each(cases)("$ms ms: $hours, $words", ({ ms, hours, words }) => {
  expect(inHours(ms, t)).toBe(hours);
  expect(inWords(ms, t)).toBe(words);
});

test("words never jump over a unit, and never go back while time goes on", () => {
  for (const edge of [1_000, 10_000, 60_000, 3_600_000])
    for (let ms = edge - 120; ms <= edge + 120; ms += 1) {
      expect(inWords(ms, t)).not.toMatch(/(^|\s)(60 (s|min)|1000 ms|10\.0 s)/);
      expect(inHours(ms, t)).not.toMatch(/60 min/);
    }
});

test("a clock that runs shows full seconds, and exact times every millisecond", () => {
  expect(ticking(59_999)).toBe("0:59");
  expect(ticking(725_000)).toBe("12:05");
  expect(ticking(-5)).toBe("0:00");
  expect(exactly(5_007)).toBe("0:05.007");
  expect(ticking(3_723_999)).toBe("1:02:03");
  expect(exactly(3_723_456)).toBe("1:02:03.456");
});
