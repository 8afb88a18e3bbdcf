import { expect, test } from "vitest";
import { dateOf, midnightOf, offsetOf } from "./calendar";

test("a day is the reader's own: the same moment is Sunday here and Monday there", () => {
  const at = "2026-11-15T16:00:00Z";
  expect(dateOf(at, "Europe/Berlin")).toBe("2026-11-15");
  expect(dateOf(at, "Asia/Seoul")).toBe("2026-11-16");
  expect(dateOf(at, "Not/AZone")).toMatch(/^2026-11-1[56]$/);
});

test.each([
  { zone: "UTC", date: "2026-11-16", begins: "2026-11-16T00:00:00.000Z" },
  { zone: "Asia/Seoul", date: "2026-11-16", begins: "2026-11-15T15:00:00.000Z" },
  { zone: "America/Los_Angeles", date: "2026-11-16", begins: "2026-11-16T08:00:00.000Z" },
  { zone: "Asia/Kathmandu", date: "2026-11-16", begins: "2026-11-15T18:15:00.000Z" },
  { zone: "Pacific/Kiritimati", date: "2026-11-16", begins: "2026-11-15T10:00:00.000Z" },
  // The days after clocks were put forward and back.
  { zone: "Europe/Berlin", date: "2026-03-29", begins: "2026-03-28T23:00:00.000Z" },
  { zone: "Europe/Berlin", date: "2026-03-30", begins: "2026-03-29T22:00:00.000Z" },
  { zone: "Europe/Berlin", date: "2026-10-26", begins: "2026-10-25T23:00:00.000Z" },
  // Put forward at midnight: that day begins at one. Put back at one: it has two midnights, and begins at the first.
  { zone: "America/Sao_Paulo", date: "2018-11-04", begins: "2018-11-04T03:00:00.000Z" },
  { zone: "America/Havana", date: "2026-11-01", begins: "2026-11-01T04:00:00.000Z" },
])("in $zone $date begins at $begins", ({ zone, date, begins }) => {
  expect(midnightOf(date, zone)).toBe(begins);
  expect(dateOf(begins, zone)).toBe(date);
  expect(dateOf(new Date(Date.parse(begins) - 1), zone)).not.toBe(date);
});

test("clocks of a zone are ahead by what they show", () => {
  expect(offsetOf(Date.parse("2026-11-16T12:00:00.250Z"), "Asia/Kolkata")).toBe(5.5 * 3_600_000);
  expect(offsetOf(Date.parse("2026-11-16T12:00:00.250Z"), "America/New_York")).toBe(-5 * 3_600_000);
});
