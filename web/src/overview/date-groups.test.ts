import { expect, test } from "vitest";
import { grouped, groupOf } from "./date-groups";

test.each([
  { date: "2026-11-18", group: "today" },
  { date: "2026-11-17", group: "yesterday" },
  { date: "2026-11-16", group: "week" },
  { date: "2026-11-15", group: "month" },
  { date: "2026-11-01", group: "month" },
  { date: "2026-10-31", group: "older" },
  { date: "2025-11-18", group: "older" },
])("seen from Wednesday, 18 November, $date is $group", ({ date, group }) => {
  expect(groupOf(date, "2026-11-18")).toBe(group);
});

test("yesterday is yesterday on a Monday and across a month", () => {
  expect(groupOf("2026-11-15", "2026-11-16")).toBe("yesterday");
  expect(groupOf("2026-10-31", "2026-11-01")).toBe("yesterday");
});

test("a session started late on Sunday in Berlin is today's on Monday in Seoul", () => {
  const [first] = grouped([{ started_at: "2026-11-15T16:00:00Z" }], "2026-11-16", "Asia/Seoul");
  expect(first?.group).toBe("today");
});
