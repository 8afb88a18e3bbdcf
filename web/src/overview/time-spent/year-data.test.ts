import { expect, test } from "vitest";
import { dayByKey, heatOf, monthsOf } from "./year-data";

const HOUR = 3_600_000;
const FIRST = "2025-11-18"; // a Tuesday

test("every day has a place: a column for each week, from Monday", () => {
  const days = heatOf(FIRST, 365, []);
  expect(days[0]).toEqual({ date: FIRST, ms: 0, level: 0, column: 0, row: 1 });
  expect(days.find(({ date }) => date === "2025-11-24")).toMatchObject({ column: 1, row: 0 });
  expect(days.at(-1)).toMatchObject({ date: "2026-11-17", column: 52, row: 1 });
  expect(new Set(days.map(({ column, row }) => `${column} ${row}`)).size).toBe(365);
});

test("days are shaded by the quarter they belong to, so that one long day does not outshine the others", () => {
  const read = [1, 2, 3, 4, 5, 6, 7, 100].map((hours, n) => ({
    date: `2025-12-0${n + 1}`,
    focused_ms: hours * HOUR,
  }));
  const levels = heatOf(FIRST, 365, read)
    .filter(({ ms }) => ms > 0)
    .map(({ level }) => level);
  expect(levels).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  const [only] = heatOf("2025-12-01", 1, [{ date: "2025-12-01", focused_ms: 1 }]);
  expect(only?.level).toBe(4);
});

test("arrow keys go by days and weeks and stop at the ends", () => {
  const days = heatOf(FIRST, 365, []);
  expect(dayByKey(days, "2026-01-15", "ArrowDown")).toBe("2026-01-16");
  expect(dayByKey(days, "2026-01-15", "ArrowUp")).toBe("2026-01-14");
  expect(dayByKey(days, "2026-01-15", "ArrowLeft")).toBe("2026-01-08");
  expect(dayByKey(days, "2026-01-15", "ArrowRight")).toBe("2026-01-22");
  expect(dayByKey(days, "2026-01-15", "Home")).toBe(FIRST);
  expect(dayByKey(days, FIRST, "ArrowLeft")).toBe(FIRST);
  expect(dayByKey(days, "2026-11-17", "ArrowRight")).toBe("2026-11-17");
  expect(dayByKey(days, FIRST, "a")).toBeNull();
});

test("month names have room between them", () => {
  const columns = monthsOf(heatOf("2025-11-20", 365, [])).map(({ column }) => column);
  expect(columns).toHaveLength(12);
  expect(monthsOf(heatOf("2025-11-02", 365, []))[0]?.date).toBe("2025-11-02");
  for (const [n, column] of columns.entries())
    if (n > 0) expect(column - (columns[n - 1] ?? 0)).toBeGreaterThan(2);
});
