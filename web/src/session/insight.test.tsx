/** What insight has made of a session: summaries by page, progress, report, processing again. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  click,
  detailOf,
  inside,
  ok,
  open,
  problem,
  sent,
  serve,
  session,
  Stream,
  stubDialogs,
  stubStreams,
  visit,
  type Server,
} from "../testing";
import { pagesOf } from "./pages";

const PATH = `/v1/sessions/${session.id}`;
const AT = `/sessions/${session.id}`;
const other = { ...visit, id: `${session.id}:2`, url_id: "other", title: "Page 2", duration_ms: 5_000 };
const visits = [
  { ...visit, duration_ms: 1_000 },
  other,
  {
    ...visit,
    id: `${session.id}:3`,
    duration_ms: 9_000,
    summary: "How bread rises.",
    keywords: ["yeast", "flour"],
  },
];

beforeEach(() => {
  stubStreams();
  stubDialogs();
});

function server(more: Server = {}): Server {
  return { ...inside, [`GET ${PATH}`]: ok(detailOf({ page_visits: visits })), ...more };
}

test("visits of a page are put together; time out of focus doesn't count", () => {
  const pages = pagesOf([...visits, { ...other, id: "x:4", is_focused: false, duration_ms: 99_000 }]);
  expect(pages.map(({ title, ms, visits: count }) => [title, ms, count])).toEqual([
    ["Page 1", 10_000, 2],
    ["Page 2", 5_000, 2],
  ]);
  expect(pages[0]).toMatchObject({ summary: "How bread rises.", keywords: ["yeast", "flour"] });
});

test("by page, a session has summaries and keywords", async () => {
  serve(server());
  open(AT);
  await click("By page");
  expect(await screen.findByText("How bread rises.")).toBeDefined();
  const keywords = screen.getByRole("list", { name: "Keywords" });
  expect(within(keywords).getByText("yeast")).toBeDefined();
});

test("a generated title is marked, a title of one's own isn't", async () => {
  serve(server());
  open(AT);
  await screen.findByRole("heading", { level: 1, name: "A first sourdough" });
  expect(screen.queryByText("Generated title")).toBeNull();
  const detail = detailOf({ page_visits: visits });
  serve(
    server({ [`GET ${PATH}`]: ok({ ...detail, session: { ...detail.session, title_by: "generated" } }) }),
  );
  open(AT);
  expect(await screen.findByText("Generated title")).toBeDefined();
});

test("processing is followed step by step, and the map comes without a reload", async () => {
  const detail = detailOf({ page_visits: visits });
  let status: "processing" | "completed" = "processing";
  const asked = serve(
    server({
      [`GET ${PATH}`]: () => ok({ ...detail, session: { ...detail.session, status } })(),
    }),
  );
  open(AT);
  await screen.findByText("Processing this session");
  const stream = Stream.all.at(-1);
  const say = (step: string, done: number, total: number) => {
    act(() => {
      stream?.say("progress", {
        ...detail.session,
        status,
        version: 1,
        page_now: null,
        processing: { step, done, total },
      });
    });
  };
  say("summaries", 3, 7);
  expect(screen.getByText(/3 of 7/)).toBeDefined();
  say("map", 0, 1);
  expect(screen.getByText("Making the mind map", { selector: "li" }).getAttribute("aria-current")).toBe(
    "step",
  );
  const before = asked.filter(({ path }) => path === `${PATH}/mindmap`).length;
  status = "completed";
  act(() => {
    stream?.say("end", {});
  });
  await waitFor(() => {
    expect(screen.queryByText("Processing this session")).toBeNull();
    expect(asked.filter(({ path }) => path === `${PATH}/mindmap`).length).toBeGreaterThan(before);
  });
});

test("what is made again is chosen, and the session is processed at once", async () => {
  const asked = serve(server({ [`POST ${PATH}/reprocess`]: ok({ ...session, status: "processing" }, 202) }));
  open(AT);
  await click("Process again…");
  const dialog = screen.getByRole("dialog");
  fireEvent.click(within(dialog).getByRole("checkbox", { name: "Summarise all pages again" }));
  fireEvent.click(within(dialog).getByRole("button", { name: "Process again" }));
  expect(await screen.findByText("Processing this session")).toBeDefined();
  expect(sent(asked, "POST")[0]?.body).toEqual({ again: ["map", "summaries"] });
});

test("a session that can't be processed again says why", async () => {
  serve(server({ [`POST ${PATH}/reprocess`]: problem(409, "still-recording") }));
  open(AT);
  await click("Process again…");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Process again" }));
  expect(await within(screen.getByRole("dialog")).findByRole("alert")).toBeDefined();
});

const report = {
  title: "A first sourdough",
  started_at: session.started_at,
  ended_at: session.ended_at,
  total_duration_ms: 1_100_000,
  page_count: 7,
  highlight_count: 2,
  top_keywords: ["yeast"],
  longest: [{ title: "<b>Bread</b>", duration_ms: 60_000 }],
  sent_at: null,
};

test.each([
  { state: "off", told: /session reports by email are off/ },
  { state: "no_server", told: /doesn’t send email/ },
  { state: null, told: /ready once the session has been processed/ },
])("the report says what became of its mail: $state", async ({ state, told }) => {
  serve(server({ [`GET ${PATH}/report`]: ok({ ...report, state }) }));
  open(AT);
  await click("Report");
  expect(await screen.findByText(told)).toBeDefined();
  expect(screen.getByText("<b>Bread</b>")).toBeDefined(); // text, not markup
});
