import { expect, test } from "vitest";
import { session, visit as aVisit } from "../../testing";
import type { Detail, Visit } from "../api";
import { at, rowOf, timelineOf } from "./periods";

function visit(seq: number, from: number, to: number | null, more: Partial<Visit> = {}): Visit {
  const iso = (second: number) => new Date(Date.UTC(2026, 10, 15, 10, 0, second)).toISOString();
  const url = more.url ?? `https://site.example/${seq}`;
  return {
    ...aVisit,
    id: `${session.id}:${seq}`,
    url,
    url_id: url,
    title: `Page ${seq}`,
    entered_at: iso(from),
    left_at: to === null ? null : iso(to),
    duration_ms: to === null ? 5_000 : (to - from) * 1_000,
    visit_order: seq,
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
      note: null,
      url_id: "u",
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
  const timeline = timelineOf(detail);
  expect(
    timeline.items.map((item) =>
      item.is === "hole"
        ? `hole ${item.hole.from_seq}`
        : item.is === "session"
          ? "session"
          : item.period.kind,
    ),
  ).toEqual(["focused", "idle", "hole 5", "focused", "unfocused", "hole 18"]);
  expect(timeline.to - timeline.from).toBe(21_000);
  expect(timeline.longest).toBe(10_000);
  expect(timeline.periods[0]?.highlights).toHaveLength(1);
});

test("a hole lies behind the visit that the event before it opened, and before the first one after it", () => {
  const page_visits = [visit(4, 0, 5), visit(6, 5, 10), visit(8, 10, 15)];
  const { items } = timelineOf({ ...detail, page_visits, pauses: [], holes: [{ from_seq: 5, to_seq: 7 }] });
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
    about: "a page is the same at another form of its address",
    visits: [
      visit(1, 0, 5, { url_id: "p", url: "http://site.example/1" }),
      visit(2, 5, 9, { tab_id: 2 }),
      visit(3, 9, 12, { ...UNTOLD, url_id: "p", url: "https://www.site.example/1" }),
    ],
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
  const timeline = timelineOf({ ...detail, page_visits: visits, pauses: [], holes: [] });
  expect(timeline.periods.at(-1)?.shown).toBe(shown);
});

test("where events are missing, nothing is said to have been open already", () => {
  const page_visits = [visit(9, 0, 5, UNTOLD)];
  const timeline = timelineOf({ ...detail, page_visits, pauses: [], holes: [{ from_seq: 1, to_seq: 8 }] });
  expect(timeline.periods[0]?.shown).toBeNull();
});

test("a moment finds its period, to the millisecond", () => {
  const { periods, from } = timelineOf(detail);
  expect(at(periods, from + 9_999)?.kind).toBe("focused");
  expect(at(periods, from + 10_000)?.kind).toBe("idle");
  expect(at(periods, from - 1)).toBeNull();
  expect(at(periods, from + 21_000)).toBeNull();
});

test("a session without anything is a timeline all the same", () => {
  const timeline = timelineOf({ ...detail, page_visits: [], pauses: [], holes: [] });
  expect(timeline.to).toBeGreaterThan(timeline.from);
  expect(timeline.items).toEqual([]);
});

test("a gap that is not listed leads to the row before it", () => {
  const gap = {
    kind: "no_page" as const,
    entered_at: "2026-11-15T10:00:05.000Z",
    left_at: "2026-11-15T10:00:05.400Z",
  };
  const page_visits = [visit(1, 0, 5), visit(2, 6, 9)];
  const timeline = timelineOf({ ...detail, page_visits, holes: [], pauses: [{ ...gap, duration_ms: 400 }] });
  const [first, short, second] = timeline.periods;
  if (!first || !short || !second) throw new Error("a period is missing");
  expect(timeline.folded).toBe(1);
  expect([first, short, second].map((period) => rowOf(timeline.items, period))).toEqual([0, 0, 1]);
});
