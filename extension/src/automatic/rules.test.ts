import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf, endOfDay } from "./days";
import { isPaused, pauseFrom } from "./pauses";
import { AWAY_MS, endOf, mayBegin, type Situation } from "./rules";

const HOUR_MS = 3_600_000;
const NOON = Date.parse("2026-11-17T12:00:00Z");
const ZONES = [
  "UTC",
  "Asia/Seoul",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Africa/Cairo",
  "America/Havana",
] as const;
const zone = fc.constantFrom(...ZONES);
const moment = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2035-01-01") });

describe("the end of a day", () => {
  test("is the first millisecond of the next one, in every zone and on every date", () => {
    fc.assert(
      fc.property(moment, zone, (t, timeZone) => {
        const end = endOfDay(t, timeZone);
        expect(dayOf(end - 1, timeZone)).toBe(dayOf(t, timeZone));
        expect(dayOf(end, timeZone)).not.toBe(dayOf(t, timeZone));
        expect(end - t).toBeGreaterThan(0);
        expect(end - t).toBeLessThanOrEqual(25 * HOUR_MS);
      }),
    );
  });

  test("comes an hour later or earlier when the clocks change", () => {
    const length = (date: string) => {
      const begin = Date.parse(date);
      return (endOfDay(begin, "Europe/Berlin") - begin) / HOUR_MS;
    };
    expect(length("2026-03-29T00:00:00+01:00")).toBe(23);
    expect(length("2026-10-25T00:00:00+02:00")).toBe(25);
    expect(length("2026-11-17T00:00:00+01:00")).toBe(24);
  });

  test("is that of the browser where the zone is unknown", () => {
    expect(endOfDay(NOON, "Mars/Olympus")).toBe(endOfDay(NOON, undefined));
  });
});

describe("a pause", () => {
  test("of an hour ends after an hour, one until tomorrow at midnight, and one without end never", () => {
    const hour = pauseFrom(NOON, "hour", "Asia/Seoul");
    expect([isPaused(hour, NOON + HOUR_MS - 1), isPaused(hour, NOON + HOUR_MS)]).toEqual([true, false]);
    const day = pauseFrom(NOON, "tomorrow", "Asia/Seoul");
    expect(day.until).toBe(Date.parse("2026-11-18T00:00:00+09:00"));
    expect(isPaused(pauseFrom(NOON, "resumed", "UTC"), NOON + 1_000 * HOUR_MS)).toBe(true);
    expect(isPaused(null, NOON)).toBe(false);
  });

  test("does not last for ever when the clock is set back", () => {
    expect(isPaused(pauseFrom(NOON, "hour", "UTC"), NOON - 30 * HOUR_MS)).toBe(false);
  });
});

describe("a session begins by itself", () => {
  const READY: Situation = {
    isWanted: true,
    isPossible: true,
    isRecording: false,
    pause: null,
    isHeld: false,
    hasPage: true,
  };

  test("with a page, if nothing speaks against it", () => {
    expect(mayBegin(READY, NOON)).toBe(true);
    const pause = pauseFrom(NOON, "hour", "UTC");
    const against: Partial<Situation>[] = [
      { isWanted: false },
      { isPossible: false },
      { isRecording: true },
      { isHeld: true },
      { hasPage: false },
      { pause },
    ];
    for (const one of against) expect(mayBegin({ ...READY, ...one }, NOON)).toBe(false);
    expect(mayBegin({ ...READY, pause }, NOON + HOUR_MS)).toBe(true);
  });
});

describe("a session that began by itself", () => {
  const course = { startedAt: NOON, activeAt: NOON + 5_000, lastAt: NOON + 5_000 };

  test("ends after half an hour without the user, with its last event", () => {
    expect(endOf(course, course.activeAt + AWAY_MS - 1, "UTC")).toBeNull();
    expect(endOf(course, course.activeAt + AWAY_MS, "UTC")).toBe(course.lastAt);
  });

  test("ends so however late that is noticed: the computer slept for a week", () => {
    expect(endOf(course, NOON + 7 * 24 * HOUR_MS, "UTC")).toBe(course.lastAt);
  });

  test("ends at the person's midnight while the user is there", () => {
    const midnight = Date.parse("2026-11-18T00:00:00+09:00");
    const late = { startedAt: NOON, activeAt: midnight - 1_000, lastAt: midnight - 1_000 };
    expect(endOf(late, midnight - 1, "Asia/Seoul")).toBeNull();
    expect(endOf(late, midnight, "Asia/Seoul")).toBe(midnight);
    expect(endOf(late, midnight + 20_000, "Asia/Seoul")).toBe(midnight);
    expect(endOf(late, midnight, "UTC")).toBeNull();
  });

  test("goes on through the hour that a clock change repeats or skips", () => {
    for (const at of ["2026-10-25T00:30:00Z", "2026-03-29T00:30:00Z"]) {
      const t = Date.parse(at);
      const running = { startedAt: t, activeAt: t + 29 * 60_000, lastAt: t + 29 * 60_000 };
      expect(endOf(running, t + 58 * 60_000, "Europe/Berlin")).toBeNull();
    }
  });

  test("ends when the clock jumps by as much as an absence, in either direction", () => {
    expect(endOf(course, course.activeAt + AWAY_MS, "UTC")).not.toBeNull();
    expect(endOf(course, course.activeAt - AWAY_MS, "UTC")).not.toBeNull();
    expect(endOf(course, course.activeAt - 60_000, "UTC")).toBeNull();
  });

  test("never ends before it began, before its last event, or later than now", () => {
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 0, max: 3 * 24 * HOUR_MS }),
        fc.integer({ min: 0, max: AWAY_MS }),
        fc.integer({ min: 0, max: 10 * 24 * HOUR_MS }),
        zone,
        (startedAt, length, unnoticed, later, timeZone) => {
          const lastAt = startedAt + length;
          const activeAt = lastAt + unnoticed;
          const now = activeAt + later;
          const end = endOf({ startedAt, activeAt, lastAt }, now, timeZone);
          if (end === null) {
            expect(dayOf(now, timeZone)).toBe(dayOf(startedAt, timeZone));
            expect(later).toBeLessThan(AWAY_MS);
          } else {
            expect(end).toBeGreaterThanOrEqual(lastAt);
            expect(end).toBeLessThanOrEqual(now);
          }
        },
      ),
    );
  });
});
