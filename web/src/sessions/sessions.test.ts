import { expect, test } from "vitest";
import { groupOf, grouped, dateOf, midnightOf, offsetOf } from "./groups";
import { hueOf, huesOf, letterOf } from "./hues";
import { at, lineOf } from "./stretches";
import { focusedMs, silentSince } from "./live";
import type { Detail, Progress, Visit } from "./api";
import { session } from "../testing";

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

test("a day is the reader's own: the same moment is Sunday here and Monday there", () => {
  const at = "2026-11-15T16:00:00Z";
  expect(dateOf(at, "Europe/Berlin")).toBe("2026-11-15");
  expect(dateOf(at, "Asia/Seoul")).toBe("2026-11-16");
  expect(dateOf(at, "Not/AZone")).toMatch(/^2026-11-1[56]$/);
  const [first] = grouped([{ started_at: at }], "2026-11-16", "Asia/Seoul");
  expect(first?.group).toBe("today");
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

test("no two of the twelve busiest sites have the same colour, and a site keeps its own", () => {
  const domains = Array.from({ length: 12 }, (_, n) => `site-${n}.example`);
  expect(new Set(huesOf(domains).values()).size).toBe(12);
  expect(huesOf(["a.example"]).get("a.example")).toBe(hueOf("a.example"));
  expect(huesOf([...domains, "one-more.example"]).size).toBe(13);
});

test.each([
  ["en.wikipedia.org", "W"],
  ["www.한국.kr", "한"],
  ["docs.rs", "D"],
  ["😀.example", "😀"],
  ["", "?"],
])("the letter of %s is %s", (domain, letter) => {
  expect(letterOf(domain)).toBe(letter);
});

function visit(seq: number, from: number, to: number | null, more: Partial<Visit> = {}): Visit {
  const iso = (second: number) => new Date(Date.UTC(2026, 10, 15, 10, 0, second)).toISOString();
  return {
    id: `${session.id}:${seq}`,
    url: `https://site.example/${seq}`,
    domain: "site.example",
    title: `Page ${seq}`,
    favicon: null,
    summary: null,
    keywords: [],
    content_status: null,
    entered_at: iso(from),
    left_at: to === null ? null : iso(to),
    duration_ms: to === null ? 5_000 : (to - from) * 1_000,
    is_focused: true,
    visit_order: seq,
    tab_id: 1,
    transition: "link",
    came_from: null,
    ...more,
  };
}

const detail: Detail = {
  session: { ...session, acked_seq: 20, event_count: 20, rejected_count: 0, error: null },
  page_visits: [
    visit(3, 0, 10),
    visit(9, 15, 16, { domain: "b.example" }),
    visit(12, 16, null, { is_focused: false }),
  ],
  pauses: [
    {
      kind: "idle",
      entered_at: "2026-11-15T10:00:10.000Z",
      left_at: "2026-11-15T10:00:15.000Z",
      duration_ms: 5_000,
    },
  ],
  highlights: [
    {
      id: "h",
      text: "x",
      url: "https://site.example/3",
      created_at: "2026-11-15T10:00:05Z",
      page_visit_id: `${session.id}:3`,
    },
  ],
  holes: [
    { from_seq: 5, to_seq: 7 },
    { from_seq: 18, to_seq: 19 },
  ],
};

test("visits, pauses and holes stand in the order of time", () => {
  const line = lineOf(detail);
  expect(
    line.items.map((item) => (item.is === "hole" ? `hole ${item.hole.from_seq}` : item.stretch.kind)),
  ).toEqual(["focused", "idle", "hole 5", "focused", "unfocused", "hole 18"]);
  expect(line.to - line.from).toBe(21_000);
  expect(line.longest).toBe(10_000);
  expect(line.domains).toEqual(["site.example", "b.example"]);
  expect(line.stretches[0]?.marks).toHaveLength(1);
});

test("a hole lies behind the visit that the event before it opened, and before the first one after it", () => {
  const page_visits = [visit(4, 0, 5), visit(6, 5, 10), visit(8, 10, 15)];
  const { items } = lineOf({ ...detail, page_visits, pauses: [], holes: [{ from_seq: 5, to_seq: 7 }] });
  expect(items.map((item) => item.key)).toEqual([
    `${session.id}:4`,
    `${session.id}:6`,
    "hole 5",
    `${session.id}:8`,
  ]);
});

const PAGE = "https://site.example/1";
const UNTOLD = { transition: null, came_from: null };

test.each([
  { about: "the first page of a tab was open already", visits: [visit(1, 0, 5, UNTOLD)], shown: "already" },
  {
    about: "so was that of another tab",
    visits: [visit(1, 0, 5), visit(2, 5, 9, { ...UNTOLD, tab_id: 2 })],
    shown: "already",
  },
  {
    about: "a page that the tab had before is come back to",
    visits: [visit(1, 0, 5), visit(2, 5, 9, { tab_id: 2 }), visit(3, 9, 12, { ...UNTOLD, url: PAGE })],
    shown: "again",
  },
  {
    about: "one that goes behind another program is not",
    visits: [visit(1, 0, 5), visit(2, 5, 9, { ...UNTOLD, url: PAGE, is_focused: false })],
    shown: null,
  },
  {
    about: "of another page in a known tab nobody knows",
    visits: [visit(1, 0, 5), visit(2, 5, 9, UNTOLD)],
    shown: null,
  },
  { about: "one that was navigated to tells it itself", visits: [visit(1, 0, 5)], shown: null },
])("how a page came to be shown: $about", ({ visits, shown }) => {
  const line = lineOf({ ...detail, page_visits: visits, pauses: [], holes: [] });
  expect(line.stretches.at(-1)?.shown).toBe(shown);
});

test("where events are missing, nothing is said to have been open already", () => {
  const page_visits = [visit(9, 0, 5, UNTOLD)];
  const line = lineOf({ ...detail, page_visits, pauses: [], holes: [{ from_seq: 1, to_seq: 8 }] });
  expect(line.stretches[0]?.shown).toBeNull();
});

test("a moment finds its stretch, to the millisecond", () => {
  const { stretches, from } = lineOf(detail);
  expect(at(stretches, from + 9_999)?.kind).toBe("focused");
  expect(at(stretches, from + 10_000)?.kind).toBe("idle");
  expect(at(stretches, from - 1)).toBeNull();
  expect(at(stretches, from + 21_000)).toBeNull();
});

test("a session without anything is a line all the same", () => {
  const line = lineOf({ ...detail, page_visits: [], pauses: [], holes: [] });
  expect(line.to).toBeGreaterThan(line.from);
  expect(line.items).toEqual([]);
});

const recording: Progress = {
  ...detail.session,
  status: "recording",
  ended_at: null,
  version: 3,
  page_now: {
    url: "https://a.example",
    title: null,
    entered_at: "2026-11-15T10:20:00.000Z",
    is_focused: true,
  },
};
const NOW = Date.parse("2026-11-15T10:20:30Z");

test("the page in front ticks, one in the background does not", () => {
  expect(focusedMs(recording, recording, NOW)).toBe(1_130_000);
  const away = { ...recording, page_now: recording.page_now && { ...recording.page_now, is_focused: false } };
  expect(focusedMs(away, away, NOW)).toBe(1_100_000);
  expect(focusedMs(session, null, NOW)).toBe(1_100_000);
});

test("the page of a silent browser counts up to its last word", () => {
  const left = { ...recording, last_event_at: "2026-11-15T10:20:07.000Z" };
  expect(focusedMs(left, left, NOW + 600_000)).toBe(1_107_000);
});

test("a browser that is silent for three minutes is told of, one that stopped is not", () => {
  expect(silentSince(recording, NOW)).toBeNull();
  expect(silentSince(recording, NOW + 200_000)).toBe(session.last_event_at);
  expect(silentSince(session, NOW + 200_000)).toBeNull();
});
