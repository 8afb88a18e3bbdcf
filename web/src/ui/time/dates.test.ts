import { expect, test } from "vitest";
import { datesIn, localeOf } from "./dates";

const AT = "2026-11-15T23:30:00Z";

test("a moment is told in the person's zone and language", () => {
  expect(datesIn("en-GB", "Asia/Seoul").moment(AT)).toBe("16 Nov 2026, 08:30");
  expect(datesIn("ko", "Asia/Seoul").moment(AT)).toMatch(/^2026\. 11\. 16\. \S+ 8:30$/);
  expect(datesIn("en-GB", "America/New_York").day(AT)).toBe("15 Nov 2026");
});

test.each([
  { now: "2026-11-14T15:00:00Z", en: "tomorrow, 08:30", ko: "내일 오전 8:30" },
  { now: "2026-11-16T14:59:59Z", en: "today, 08:30", ko: "오늘 오전 8:30" },
  { now: "2026-11-17T14:59:59Z", en: "yesterday, 08:30", ko: "어제 오전 8:30" },
  { now: "2026-11-14T14:59:59Z", en: "16 Nov, 08:30", ko: "11월 16일 오전 8:30" },
  { now: "2027-01-02T00:00:00Z", en: "16 Nov 2026, 08:30", ko: "2026. 11. 16. 오전 8:30" },
])("what is near is said as people do: $en", ({ now, en, ko }) => {
  expect(datesIn("en-GB", "Asia/Seoul").near(AT, now)).toBe(en);
  // Some versions know no Korean half of the day.
  expect(datesIn("ko", "Asia/Seoul").near(AT, now).replace("AM", "오전")).toBe(ko);
});

test.each([
  { locale: "en-US", time: "9:05 AM", clock: "9:05:07 AM", exact: "9:05:07.012 AM" },
  { locale: "en-GB", time: "09:05", clock: "09:05:07", exact: "09:05:07.012" },
])("times of one page are on one clock: $locale", ({ locale, ...told }) => {
  const { time, clock, exact } = datesIn(locale, "UTC");
  const at = "2026-11-15T09:05:07.012Z";
  // Some versions part the half of the day with a narrow space.
  const plain = (text: string) => text.replaceAll("\u202f", " ");
  expect({ time: plain(time(at)), clock: plain(clock(at)), exact: plain(exact(at)) }).toEqual(told);
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
