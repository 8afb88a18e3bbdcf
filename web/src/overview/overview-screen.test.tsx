import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import {
  click,
  here,
  inside,
  listOf,
  me,
  nothing,
  ok,
  open,
  problem,
  sent,
  serve,
  session,
  Stream,
  stubDialogs,
  stubStreams,
  type,
} from "../testing";

const old = {
  ...session,
  id: "00000000-0000-4000-8000-00000000000a",
  title: null,
  started_at: "2020-01-02T03:04:05Z",
};
const today = {
  ...session,
  id: "00000000-0000-4000-8000-00000000000b",
  started_at: new Date().toISOString(),
};

test("sessions are grouped by day, each with what it was about", async () => {
  serve({ ...inside, "GET /v1/sessions": ok(listOf([today, old])) });
  open("/");
  const row = (await screen.findByRole("link", { name: session.title ?? "" })).closest("li");
  expect(row?.textContent).toContain("7 pages");
  expect(row?.textContent).toContain("2 highlights");
  expect(row?.textContent).toContain("en.wikipedia.org");
  expect(row?.textContent).toContain("18 min");
  expect(screen.getAllByRole("heading", { level: 3 }).map((each) => each.textContent)).toEqual([
    "Today",
    "Older",
  ]);
  expect(screen.getByRole("link", { name: /^Session on/ }).getAttribute("href")).toBe(`/sessions/${old.id}`);
});

test("a search is kept in the address and asked of the server once the person pauses", async () => {
  const asked = serve({
    ...inside,
    "GET /v1/sessions": ({ query }) => ok(query.get("search") === null ? listOf([today]) : listOf([]))(),
  });
  open("/");
  await screen.findByRole("link", { name: session.title ?? "" });
  await type("Search", "axo");
  await type("Search", "axolotl");
  expect(await screen.findByRole("heading", { name: "No matching sessions" })).toBeDefined();
  expect(here()).toBe("/?q=axolotl");
  const searches = asked.map(({ query }) => query.get("search")).filter((words) => words !== null);
  expect(searches).toEqual(["axolotl"]);
  await click("Clear filters");
  expect(await screen.findByRole("link", { name: session.title ?? "" })).toBeDefined();
  await waitFor(() => {
    expect(here()).toBe("/");
  });
});

test("a session that was searched for leads back to the search", async () => {
  const detail = {
    session: { ...today, acked_seq: 0, event_count: 0, rejected_count: 0, error: null },
    ...{ page_visits: [], pauses: [], highlights: [], holes: [] },
  };
  serve({
    ...inside,
    "GET /v1/sessions": ok(listOf([today])),
    [`GET /v1/sessions/${today.id}`]: ok(detail),
  });
  open("/?q=bread&view=month");
  await click(session.title ?? "", "link");
  await click("All sessions", "link");
  expect(here()).toBe("/?q=bread&view=month");
});

test("the year is shown without asking for the days of a week", async () => {
  const asked = serve({ ...inside, "GET /v1/sessions": ok(listOf([today])) });
  open("/?view=year");
  await screen.findByRole("link", { name: session.title ?? "" });
  const paths = asked.map(({ path }) => path);
  expect(paths).toContain("/v1/totals/calendar");
  expect(paths).not.toContain("/v1/totals/days");
});

test("a recording that no stream is left for has no clock that stands still", async () => {
  stubStreams();
  const going = [1, 2, 3].map((n) => ({
    ...today,
    id: `00000000-0000-4000-8000-0000000001${n}0`,
    title: `Recording ${n}`,
    status: "recording" as const,
    ended_at: null,
    total_duration_ms: 0,
  }));
  serve({ ...inside, "GET /v1/sessions": ok(listOf(going)) });
  open("/");
  await screen.findByRole("link", { name: "Recording 3" });
  await waitFor(() => {
    expect(Stream.all).toHaveLength(2);
  });
  act(() => {
    for (const [n, stream] of Stream.all.entries())
      stream.say("progress", { ...going[n], version: 1, page_now: null });
  });
  const times = [...document.querySelectorAll("li[data-status] > p")].map((time) => time.textContent);
  expect(times).toEqual(["0:00", "0:00", "0 min"]);
});

test("the next page comes at a click, by the cursor of the page before", async () => {
  const second = { ...session, id: "00000000-0000-4000-8000-00000000000c", title: "The second" };
  const asked = serve({
    ...inside,
    "GET /v1/sessions": ({ query }) =>
      query.get("cursor") === null
        ? ok({ ...listOf([today], 2), next_cursor: "behind-the-first" })()
        : ok({ ...listOf([second]), total: null })(),
  });
  open("/");
  await click("Show more");
  expect(await screen.findByRole("link", { name: "The second" })).toBeDefined();
  expect(screen.getByRole("link", { name: session.title ?? "" })).toBeDefined();
  expect(screen.getByText("2 sessions")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  const cursors = asked.map(({ query }) => query.get("cursor")).filter((cursor) => cursor !== null);
  expect(cursors).toEqual(["behind-the-first"]);
});

test("a session that was recorded meanwhile comes into the list, and its time into the picture", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let sessions: (typeof session)[] = [old];
    const asked = serve({ ...inside, "GET /v1/sessions": () => ok(listOf(sessions))() });
    const pictures = () => asked.filter(({ path }) => path === "/v1/totals/days").length;
    open("/");
    await screen.findByRole("link", { name: /^Session on/ });
    await act(() => vi.advanceTimersByTimeAsync(4_200));
    expect(pictures()).toBe(1); // no news
    sessions = [today, old];
    await act(() => vi.advanceTimersByTimeAsync(4_200));
    expect(screen.getByRole("link", { name: session.title ?? "" })).toBeDefined();
    expect(pictures()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test("where the time went is a picture with a table behind it", async () => {
  const domains = [{ domain: "wikipedia.org", focused_ms: 3_600_000, visits: 3, pages: 2 }];
  const days = [{ date: "2026-11-16", focused_ms: 5_400_000, visits: 5, domains }];
  serve({
    ...inside,
    "GET /v1/sessions": ok(listOf([today])),
    "GET /v1/totals/days": ok({ today: "2026-11-16", days }),
  });
  open("/");
  expect(await screen.findByRole("img", { name: "Active time per day, by site" })).toBeDefined();
  const table = screen.getByRole("table", { hidden: true });
  expect(
    within(table)
      .getAllByRole("cell", { hidden: true })
      .map((cell) => cell.textContent),
  ).toEqual(["1 h 30 min", "1 h", "30 min"]);
  await click("wikipedia.org");
  expect(here()).toBe("/?domain=wikipedia.org");
  await click("Month");
  expect(here()).toBe("/?domain=wikipedia.org&view=month");
});

test("a day of the picture leads to its sessions, from the reader's midnight to the next", async () => {
  const domains = [{ domain: "wikipedia.org", focused_ms: 3_600_000, visits: 3, pages: 2 }];
  const days = [{ date: "2026-11-16", focused_ms: 3_600_000, visits: 3, domains }];
  const asked = serve({
    ...inside, // in Seoul
    "GET /v1/sessions": ok(listOf([today])),
    "GET /v1/totals/days": ok({ today: "2026-11-16", days }),
  });
  open("/?when=last7");
  const picture = await screen.findByRole("img", { name: "Active time per day, by site" });
  const day = picture.querySelector('[data-leads="true"]');
  if (!day) throw new Error("no day leads anywhere");
  fireEvent.click(day);
  expect(here()).toBe("/?day=2026-11-16");
  await vi.waitFor(() => {
    const { query } = sent(asked, "GET").findLast(({ query }) => query.has("to")) ?? {};
    expect([query?.get("from"), query?.get("to")]).toEqual([
      "2026-11-15T15:00:00.000Z",
      "2026-11-16T15:00:00.000Z",
    ]);
  });
  await click("Remove filter: Mon, Nov 16");
  expect(here()).toBe("/");
  fireEvent.click(screen.getByRole("button", { name: "Mon, Nov 16", hidden: true }));
  expect(here()).toBe("/?day=2026-11-16");
});

test("the picture says which days it has, and leads to those before and after", async () => {
  const asked = serve({ ...inside, "GET /v1/sessions": ok(listOf([today])) });
  open("/?at=2020-11-22");
  expect(await screen.findByText("Nov 16 – 22, 2020")).toBeDefined();
  await click("Earlier");
  expect(await screen.findByText("Nov 9 – 15, 2020")).toBeDefined();
  await click("Month");
  await click("Earlier");
  await click("Later");
  expect(here()).toBe("/?view=month"); // today, whatever day it is then
  const days = asked.filter(({ path }) => path === "/v1/totals/days").map(({ query }) => query.toString());
  expect(days.slice(0, 3)).toEqual([
    "count=7&limit=30&from=2020-11-16",
    "count=7&limit=30&from=2020-11-09",
    "count=30&limit=30",
  ]);
});

test("what was chosen can be gone back from; what is typed is one place", async () => {
  serve({ ...inside, "GET /v1/sessions": ok(listOf([today])) });
  open("/");
  await screen.findByRole("link", { name: session.title ?? "" });
  const before = history.length;
  await click("Month");
  fireEvent.change(screen.getByLabelText("Status"), { target: { value: "failed" } });
  expect(here()).toBe("/?status=failed&view=month");
  expect(history.length).toBe(before + 2);
  await click("Month"); // the same once more is no other place
  for (const words of ["bread", "breakfast"]) {
    await type("Search", words);
    await waitFor(() => {
      expect(here()).toBe(`/?q=${words}&status=failed&view=month`);
    });
  }
  expect(history.length).toBe(before + 2);
  for (const place of ["/?view=month", "/"]) {
    history.back();
    await waitFor(() => {
      expect(here()).toBe(place);
    });
  }
  expect(screen.getByRole("button", { name: "Week" }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("");
});

test("a demo that is there says so and can be deleted, and does not offer itself again", async () => {
  stubDialogs();
  let demo = { there: 12, deleted: 0 };
  const asked = serve({
    ...inside,
    "GET /v1/demo": () => ok(demo)(),
    "DELETE /v1/demo": () => {
      demo = { there: 0, deleted: 12 };
      return nothing();
    },
  });
  open("/first-steps");
  expect(await screen.findByText(/^You have 12 demo sessions/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Load demo sessions" })).toBeNull();
  await click("Delete demo sessions");
  const dialog = await screen.findByRole("dialog");
  expect(sent(asked, "DELETE")).toHaveLength(0);
  fireEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText(/^You deleted the demo sessions/)).toBeDefined();
  expect(sent(asked, "DELETE")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Load demo sessions" })).toBeNull();
});

test("a newcomer loads the demo and sees it", async () => {
  let isLoaded = false;
  const asked = serve({
    ...inside,
    "GET /v1/sessions": () => ok(listOf(isLoaded ? [today] : []))(),
    "POST /v1/demo": () => {
      isLoaded = true;
      return ok({ recorded: 1, known: 0, deleted: 0 }, 201)();
    },
  });
  open("/");
  await click("Load demo sessions");
  expect(await screen.findByRole("link", { name: session.title ?? "" })).toBeDefined();
  expect(sent(asked, "POST")).toHaveLength(1);
});

test("the first steps are ticked off as they happen", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let devices: object[] = [];
    let sessions = [] as (typeof session)[];
    serve({
      ...inside,
      "GET /v1/devices": () => ok({ items: devices })(),
      "GET /v1/sessions": () => ok(listOf(sessions))(),
    });
    open("/first-steps");
    await screen.findByRole("heading", { name: "Connect it to this server" });
    devices = [{ id: "e", kind: "extension", name: "Chrome on Linux", scopes: [] }];
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    expect(screen.getByRole("heading", { name: /Connect it to this server.*Done/ })).toBeDefined();
    expect(screen.getByText("Waiting for the first recording…")).toBeDefined();
    sessions = [{ ...session, device_id: "e", status: "processing" }];
    stubStreams();
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    expect(screen.getByRole("link", { name: "Open session" }).getAttribute("href")).toBe(
      `/sessions/${session.id}`,
    );
  } finally {
    vi.useRealTimers();
  }
});

test("a server that goes away is told of, what is there stays, and goes on when it is back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const there = { ...inside, "GET /v1/sessions": ok(listOf([today])) };
    serve(there);
    open("/");
    await screen.findByRole("link", { name: session.title ?? "" });
    serve({});
    await act(() => vi.advanceTimersByTimeAsync(4_200));
    expect(screen.getByText(/^Can’t reach the server/)).toBeDefined();
    expect(screen.getByRole("link", { name: session.title ?? "" })).toBeDefined();
    serve({ ...there, "GET /v1/sessions": ok(listOf([{ ...today, title: "Named meanwhile" }])) });
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(screen.queryByText(/^Can’t reach the server/)).toBeNull();
    expect(screen.getByRole("link", { name: "Named meanwhile" })).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});

test("who was signed out elsewhere is told so, and comes back to where they were", async () => {
  serve({ ...inside, "GET /v1/sessions": problem(401, "not-signed-in") });
  open("/?q=bread");
  expect(await screen.findByText(/^You were signed out/)).toBeDefined();
  expect(here()).toBe("/sign-in?next=%2F%3Fq%3Dbread");
});

test("single keys lead around, are explained, and can be switched off", async () => {
  stubDialogs();
  serve({ ...inside, "GET /v1/me": ok(me), "GET /v1/sessions": ok(listOf([today, old])) });
  open("/");
  const first = await screen.findByRole("link", { name: session.title ?? "" });
  fireEvent.keyDown(document.body, { key: "j" });
  expect(document.activeElement).toBe(first);
  fireEvent.keyDown(document.body, { key: "f" });
  expect(document.activeElement).toBe(screen.getByLabelText("Search"));
  fireEvent.keyDown(screen.getByLabelText("Search"), { key: "?" });
  expect(screen.queryByRole("dialog")).toBeNull();
  fireEvent.keyDown(document.body, { key: "?" });
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  fireEvent.click(within(dialog).getByLabelText("Enable single-key shortcuts"));
  await click("Close");
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "s" });
  expect(here()).toBe("/");
  localStorage.setItem("mindhit.shortcuts", "on");
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "s" });
  expect(here()).toBe("/settings");
});

test("single keys do nothing inside a dialog", async () => {
  stubDialogs();
  serve({ ...inside, "GET /v1/sessions": ok(listOf([today, old])) });
  open("/");
  await screen.findByRole("link", { name: session.title ?? "" });
  fireEvent.keyDown(document.body, { key: "?" });
  const close = within(await screen.findByRole("dialog")).getByRole("button", { name: "Close" });
  close.focus();
  for (const key of ["j", "g", "s"]) fireEvent.keyDown(close, { key });
  expect(document.activeElement).toBe(close);
  expect(here()).toBe("/");
});

test("going back closes the list of shortcuts, and going there again does not open it", async () => {
  stubDialogs();
  serve({ ...inside, "GET /v1/sessions": ok(listOf([today])) });
  open("/settings");
  await screen.findByRole("heading", { name: "General" });
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "o" });
  await screen.findByRole("link", { name: session.title ?? "" });
  fireEvent.keyDown(document.body, { key: "?" });
  await screen.findByRole("dialog");
  act(() => {
    history.back();
  });
  await screen.findByRole("heading", { name: "General" });
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => {
    history.forward();
  });
  await screen.findByRole("link", { name: session.title ?? "" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a session of zero pages says that nothing was recorded", async () => {
  const empty = { ...today, page_count: 0, highlight_count: 0, total_duration_ms: 0 };
  serve({ ...inside, "GET /v1/sessions": ok(listOf([empty])) });
  open("/");
  const row = (await screen.findByRole("link", { name: session.title ?? "" })).closest("li");
  expect(row?.textContent).toContain("Nothing was recorded");
  expect(row?.textContent).not.toMatch(/0 (pages|min)/);
});

test("a session without a title is named after what was read most", async () => {
  const named_after = { title: "Lighthouses of the North Sea", more_pages: 9 };
  serve({ ...inside, "GET /v1/sessions": ok(listOf([{ ...today, title: null, named_after }])) });
  open("/");
  expect(
    await screen.findByRole("link", { name: "Lighthouses of the North Sea and 9 more pages" }),
  ).toBeDefined();
});

test("the others have no bar, however much they are together, and the busiest site fills the width", async () => {
  const domains = [
    { domain: "wikipedia.org", focused_ms: 600_000, visits: 3, pages: 2 },
    { domain: "reddit.com", focused_ms: 300_000, visits: 3, pages: 2 },
  ];
  const days = [{ date: "2026-11-16", focused_ms: 5_400_000, visits: 5, domains }];
  serve({
    ...inside,
    "GET /v1/sessions": ok(listOf([today])),
    "GET /v1/totals/days": ok({ today: "2026-11-16", days }),
  });
  open("/");
  const legend = (await screen.findByRole("button", { name: /wikipedia\.org/ })).closest("ul");
  const bars = [...(legend?.querySelectorAll("li") ?? [])].map(
    (row) => row.querySelector<HTMLElement>(":scope > span[style]")?.style.width,
  );
  expect(bars).toEqual(["100%", "50%", undefined]);
  expect(legend?.lastElementChild?.textContent).toContain("1 h 15 min");
});

test.each([
  { layout: "Hangul", key: "ㅓ" },
  { layout: "an input method that hides the letter", key: "Process" },
  { layout: "Cyrillic", key: "о" },
])("letters work with $layout: the key counts", async ({ key }) => {
  serve({ ...inside, "GET /v1/sessions": ok(listOf([today, old])) });
  open("/");
  const first = await screen.findByRole("link", { name: session.title ?? "" });
  fireEvent.keyDown(document.body, { key, code: "KeyJ" });
  expect(document.activeElement).toBe(first);
});

test("with another Latin layout, the letter counts", async () => {
  serve({ ...inside, "GET /v1/sessions": ok(listOf([today, old])) });
  open("/");
  const first = await screen.findByRole("link", { name: session.title ?? "" });
  fireEvent.keyDown(document.body, { key: "h", code: "KeyJ" });
  expect(document.activeElement).not.toBe(first);
  fireEvent.keyDown(document.body, { key: "j", code: "KeyC" });
  expect(document.activeElement).toBe(first);
});
