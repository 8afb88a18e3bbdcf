import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Detail, Visit } from "../api";
import {
  detailOf,
  inside,
  listOf,
  ok,
  open,
  serve,
  session,
  stubStreams,
  visit as aVisit,
} from "../../testing";

beforeEach(stubStreams);

const BEGAN = Date.parse(session.started_at);
const iso = (ms: number) => new Date(ms).toISOString();

function visit(seq: number, from: number, ms: number, more: Partial<Visit> = {}): Visit {
  return {
    ...aVisit,
    id: `${session.id}:${seq}`,
    url: `https://site.example/${seq}`,
    title: `Page ${seq}`,
    entered_at: iso(from),
    left_at: iso(from + ms),
    duration_ms: ms,
    visit_order: seq,
    ...more,
  };
}

async function rows(detail: Detail): Promise<Element[]> {
  serve({ ...inside, [`GET /v1/sessions/${session.id}`]: ok(detail), "GET /v1/sessions": ok(listOf([])) });
  open(`/sessions/${session.id}`);
  await screen.findByRole("heading", { name: "Timeline" });
  return [...document.querySelectorAll("li[data-index]")];
}

test("dwell bars are to scale: half as long is half as wide", async () => {
  const lengths = [40_000, 20_000, 10_000, 400];
  const page_visits = lengths.map((ms, n) => visit(n + 1, BEGAN + n * 40_000, ms));
  const asleep = {
    kind: "asleep" as const,
    entered_at: iso(BEGAN + 160_000),
    left_at: iso(BEGAN + 760_000),
    duration_ms: 600_000,
  };
  const found = await rows(detailOf({ page_visits, pauses: [asleep] }));
  const widths = found.map((row) => row.querySelector<HTMLElement>("span[title] + span")?.style.width);
  expect(widths).toEqual(["100%", "50%", "25%", "1%", "100%"]);
});

test("a page behind another program is told so, in words", async () => {
  const page_visits = [visit(1, BEGAN, 1_000), visit(2, BEGAN + 1_000, 1_000, { is_focused: false })];
  const [front, behind] = await rows(detailOf({ page_visits }));
  expect(behind?.textContent).toContain("Another program active");
  expect(front?.textContent).not.toContain("Another program active");
});

test("a highlight stands in the row of its visit", async () => {
  const highlight = {
    id: "h",
    text: "They sleep on the wing",
    url: "https://site.example/2",
    note: null,
    url_id: "u",
    created_at: iso(BEGAN + 1_500),
    page_visit_id: `${session.id}:2`,
  };
  const page_visits = [visit(1, BEGAN, 1_000), visit(2, BEGAN + 1_000, 1_000)];
  const [without, marked] = await rows(detailOf({ page_visits, highlights: [highlight] }));
  expect(marked?.querySelector("q")?.textContent).toBe("They sleep on the wing");
  expect(without?.querySelector("q")).toBeNull();
});

/** Nothing has come for so long, from a page that was then open for five seconds. */
async function openFor(silentMs: number): Promise<string> {
  const heard = Date.now() - silentMs;
  const running = { status: "recording" as const, ended_at: null, last_event_at: iso(heard) };
  const last = visit(1, heard - 5_000, 5_000, { left_at: null });
  const detail = detailOf({ page_visits: [last] });
  const [row] = await rows({ ...detail, session: { ...detail.session, ...running } });
  return row?.querySelector("span[title]")?.getAttribute("title") ?? "";
}

test("the open page of a browser that was just heard goes on", async () => {
  expect(await openFor(60_000)).toMatch(/^1:0[5-9]\./);
});

test("the open page of a silent browser does not grow for ever", async () => {
  expect(await openFor(600_000)).toBe("0:05.000");
});

test("the page that was open at the start was not come back to", async () => {
  const told = { transition: null, came_from: null, url: "https://site.example/1" };
  const page_visits = [
    visit(1, BEGAN, 1_000, told),
    visit(2, BEGAN + 1_000, 1_000, { tab_id: 2 }),
    visit(3, BEGAN + 2_000, 1_000, told),
  ];
  const notes = (await rows(detailOf({ page_visits }))).map(
    (row) => [...row.querySelectorAll("p")].at(-1)?.textContent,
  );
  expect(notes).toEqual([
    "site.example · already open",
    "site.example · link",
    "site.example · back in this tab",
  ]);
});

test.each([
  { status: "recording" as const, says: "haven’t arrived yet" },
  { status: "processing" as const, says: "haven’t arrived yet" },
  { status: "completed" as const, says: "never arrived" },
  { status: "failed" as const, says: "never arrived" },
])("what is missing of a session that is $status: $says", async ({ status, says }) => {
  const detail = detailOf({ page_visits: [visit(3, BEGAN, 1_000)], holes: [{ from_seq: 1, to_seq: 2 }] });
  const [hole] = await rows({ ...detail, session: { ...detail.session, status } });
  expect(hole?.textContent).toContain(`Events 1–2 ${says}`);
});

test("a title of ten thousand letters is cut, and says so", async () => {
  const [row] = await rows(
    detailOf({ page_visits: [visit(1, BEGAN, 1_000, { title: "x".repeat(10_000) })] }),
  );
  expect(row?.querySelector("p")?.textContent).toBe(`${"x".repeat(300)}…`);
});

test("under a second is under a second", async () => {
  const lengths = [400, 999, 1_000, 1_999];
  await rows(detailOf({ page_visits: lengths.map((ms, n) => visit(n + 1, BEGAN + n * 2_000, ms)) }));
  expect(screen.getByText("Visits under 1 s").parentElement?.textContent).toBe("Visits under 1 s2");
});

test("gaps under a second are folded: no rows, but a word about them", async () => {
  const gap = (from: number, ms: number) => ({
    kind: "no_page" as const,
    entered_at: iso(from),
    left_at: iso(from + ms),
    duration_ms: ms,
  });
  const pauses = [gap(BEGAN + 5_000, 999), gap(BEGAN + 10_000, 1_000), gap(BEGAN + 20_000, 1)];
  const page_visits = [visit(1, BEGAN, 5_000), visit(2, BEGAN + 11_000, 9_000)];
  const found = await rows(detailOf({ page_visits, pauses }));
  expect(found.map((row) => row.querySelector("div")?.dataset["kind"])).toEqual([
    "focused",
    "no_page",
    "focused",
  ]);
  expect(screen.getByText("2 gaps under a second aren’t listed.")).toBeDefined();
});

test.each([
  { transition: "forward_back", said: "back or forward" },
  { transition: "typed", said: "typed" },
  { transition: "link", said: "link" },
  { transition: "form_submit", said: "form" },
  { transition: "reload", said: "reloaded" },
])("how the reader came, by $transition: $said", async ({ transition, said }) => {
  const [row] = await rows(detailOf({ page_visits: [visit(1, BEGAN, 1_000, { transition })] }));
  expect([...(row?.querySelectorAll("p") ?? [])].at(-1)?.textContent).toBe(`site.example · ${said}`);
});
