import { expect, test } from "vitest";
import { datesIn, localeOf } from "./dates";

const AT = "2026-11-15T23:30:00Z";

test("a moment is told in the person's zone and language", () => {
  expect(datesIn("en-GB", "Asia/Seoul").moment(AT)).toBe("16 Nov 2026, 08:30");
  expect(datesIn("ko", "Asia/Seoul").moment(AT)).toMatch(/^2026\. 11\. 16\. \S+ 8:30$/);
  expect(datesIn("en-GB", "America/New_York").day(AT)).toBe("15 Nov 2026");
});

test("a zone that this browser does not know does not break the screen", () => {
  expect(datesIn("en", "Mars/Olympus_Mons").moment(AT)).toContain("2026");
});

test.each([
  { language: "en", wanted: ["ko-KR", "en-GB", "en-US"], locale: "en-GB" },
  { language: "ko", wanted: ["en-US"], locale: "ko" },
  { language: "en", wanted: ["eno-XX"], locale: "en" },
])("$language for $wanted: $locale", ({ language, wanted, locale }) => {
  expect(localeOf(language, wanted)).toBe(locale);
});
