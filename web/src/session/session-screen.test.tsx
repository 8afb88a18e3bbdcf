import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Detail, Visit } from "./api";
import {
  click,
  detailOf,
  here,
  inside,
  leave,
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
  visit,
} from "../testing";

const ID = session.id;
const PATH = `/v1/sessions/${ID}`;

function visitOf(n: number, more: Partial<Visit> = {}): Visit {
  const at = (ms: number) => new Date(Date.parse(session.started_at) + ms).toISOString();
  return {
    ...visit,
    id: `${ID}:${n * 2}`,
    url: `https://site.example/${n}`,
    title: `Page ${n}`,
    entered_at: at(n * 250),
    left_at: at(n * 250 + 250),
    duration_ms: 250,
    visit_order: n,
    transition: "typed",
    ...more,
  };
}

const detail = detailOf({
  page_visits: [visitOf(0), visitOf(1, { transition: "link", came_from: "https://site.example/0" })],
});

beforeEach(() => {
  stubStreams();
  stubDialogs();
});

function server(shown: Detail = detail) {
  return { ...inside, [`GET ${PATH}`]: ok(shown), "GET /v1/sessions": ok(listOf([session])) };
}

test("a session that the plan doesn't keep says when it goes, and one over its limit that it was", async () => {
  const leaving = { ...session, expires_at: "2026-12-20T12:00:00.000Z" };
  const shown = { ...detail.session, expires_at: leaving.expires_at, is_over_limit: true };
  serve({
    ...server({ ...detail, session: shown }),
    "GET /v1/sessions": ok(listOf([leaving])),
  });
  open(`/sessions/${ID}`);
  expect(await screen.findByText(/this one will be deleted on .*20.*Export it, or upgrade/)).toBeDefined();
  expect(screen.getByRole("link", { name: "Show plans" }).getAttribute("href")).toBe("/settings/plan");
  expect(screen.getByText(/^Recorded offline while you were already at your plan’s limit/)).toBeDefined();
  open("/");
  const row = (await screen.findByRole("link", { name: session.title ?? "" })).closest("li");
  expect(row?.textContent).toMatch(/deleted on .*20/);
});

test("a timeline has exact times, how long, and how one came there", async () => {
  serve(server());
  open(`/sessions/${ID}`);
  const rows = await screen.findAllByRole("listitem");
  const second = rows.find((row) => row.textContent.includes("Page 1"));
  expect(second?.textContent).toMatch(/7:00:00\.250\sPM7:00:00\.500\sPM/); // in Seoul, where Mina is
  expect(second?.textContent).toContain("250 ms");
  expect(second?.textContent).toContain("link from site.example/0");
  expect(document.title).toBe("A first sourdough – MindHit");
});

test("of five thousand visits only those near the window are in the page", async () => {
  serve(server({ ...detail, page_visits: Array.from({ length: 5_000 }, (_, n) => visitOf(n)) }));
  open(`/sessions/${ID}`);
  const row = (await screen.findByRole("link", { name: "Page 0" })).closest("li");
  expect(row?.getAttribute("aria-setsize")).toBe("5000");
  expect(document.querySelectorAll("li[data-index]").length).toBeLessThan(80);
});

test("what is missing is shown where it is missing, with the reason", async () => {
  serve(
    server({
      ...detail,
      holes: [{ from_seq: 1, to_seq: 1 }],
      pauses: [
        {
          kind: "asleep",
          entered_at: "2026-11-15T10:00:00.500Z",
          left_at: "2026-11-15T10:10:00.500Z",
          duration_ms: 600_000,
        },
      ],
    }),
  );
  open(`/sessions/${ID}`);
  expect(await screen.findByText("1 event is missing here")).toBeDefined();
  expect(screen.getByText(/never arrived; the timeline continues without it/)).toBeDefined();
  expect(screen.getAllByText("Computer asleep").length).toBeGreaterThan(0);
});

test("a title is changed in its place", async () => {
  const asked = serve({ ...server(), [`PATCH ${PATH}`]: ok({ ...session, title: "Bread" }) });
  open(`/sessions/${ID}`);
  await click("Rename");
  await type("Title", "  Bread ");
  await click("Save");
  expect(await screen.findByRole("heading", { name: "Bread" })).toBeDefined();
  expect(sent(asked, "PATCH")[0]?.body).toEqual({ title: "Bread", was: "A first sourdough" });
});

test("a title that was changed elsewhere meanwhile is not overwritten unasked", async () => {
  let title = "A first sourdough";
  const asked = serve({
    ...server(),
    [`GET ${PATH}`]: () => ok({ ...detail, session: { ...detail.session, title } })(),
    [`PATCH ${PATH}`]: ({ body }) => {
      const { was, title: wanted } = body as { was: string; title: string };
      if (was !== title) return problem(409, "title-changed")();
      title = wanted;
      return ok({ ...session, title })();
    },
  });
  open(`/sessions/${ID}`);
  await click("Rename");
  title = "Named on the phone";
  await type("Title", "Bread");
  await click("Save");
  expect(
    await screen.findByText("In the meantime, the title was changed elsewhere to “Named on the phone”."),
  ).toBeDefined();
  await click("Use “Bread”");
  expect(await screen.findByRole("heading", { name: "Bread" })).toBeDefined();
  expect(sent(asked, "PATCH")).toHaveLength(2);
});

test("a title typed by somebody who is signed out meanwhile is offered again", async () => {
  let isIn = true;
  const asked = serve({
    ...server(),
    "GET /v1/me": () => (isIn ? ok(me)() : problem(401, "not-signed-in")()),
    "POST /v1/auth/sign-in": () => {
      isIn = true;
      return ok(me)();
    },
    [`PATCH ${PATH}`]: () => (isIn ? ok({ ...session, title: "Bread" }) : problem(401, "not-signed-in"))(),
  });
  open(`/sessions/${ID}`);
  await click("Rename");
  await type("Title", "Bread");
  isIn = false;
  await click("Save");
  await type("Email address", "mina@example.com");
  await type("Password", "correct horse battery");
  await click("Sign in");
  expect((await screen.findByLabelText<HTMLInputElement>("Title")).value).toBe("Bread");
  expect(screen.getByText("You typed this earlier. It isn’t saved yet.")).toBeDefined();
  await click("Save");
  expect(await screen.findByRole("heading", { name: "Bread" })).toBeDefined();
  expect(sent(asked, "PATCH")[1]?.body).toEqual({ title: "Bread", was: "A first sourdough" });
  expect(sessionStorage).toHaveLength(0);
});

test("a title that is given up, or whose writer signs out, is not kept", async () => {
  serve({ ...server(), "POST /v1/auth/sign-out": nothing });
  open(`/sessions/${ID}`);
  await click("Rename");
  await type("Title", "Bread");
  await click("Cancel");
  expect(sessionStorage).toHaveLength(0);
  await click("Rename");
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("A first sourdough");
  await type("Title", "Bread");
  expect(sessionStorage).toHaveLength(1);
  await click(/^Account:/);
  await click("Sign out");
  await waitFor(() => {
    expect(sessionStorage).toHaveLength(0);
  });
});

test("what is wrong with a title is told below it", async () => {
  const errors = [{ pointer: "/title", detail: "a name is one line of letters", kind: "one_line" }];
  serve({ ...server(), [`PATCH ${PATH}`]: problem(422, "invalid", { errors }) });
  open(`/sessions/${ID}`);
  await click("Rename");
  await type("Title", "Br\u202eead");
  await click("Save");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The server can’t accept this.");
  expect(alert.textContent).toContain("without invisible or direction-changing characters");
});

test("a deleted session is gone at once, and deleted when the page is left", async () => {
  const asked = serve({ ...server(), [`DELETE ${PATH}`]: nothing });
  open(`/sessions/${ID}`);
  await click("Delete");
  expect(await screen.findByText("The session was deleted.")).toBeDefined();
  expect(here()).toBe("/");
  await screen.findByRole("heading", { name: "Sessions" });
  expect(screen.queryByRole("link", { name: session.title ?? "" })).toBeNull();
  act(() => {
    history.back();
  });
  expect(sent(asked, "DELETE")).toHaveLength(0);
  leave();
  await waitFor(() => {
    expect(sent(asked, "DELETE").map(({ path }) => path)).toEqual([PATH]);
  });
  await waitFor(() => {
    expect(screen.queryByText("The session was deleted.")).toBeNull();
  });
});

test("undone, a deleted session is there again, and nothing was sent", async () => {
  const asked = serve({ ...server(), [`DELETE ${PATH}`]: nothing });
  open(`/sessions/${ID}`);
  await click("Delete");
  await click("Undo");
  expect(await screen.findByRole("link", { name: session.title ?? "" })).toBeDefined();
  leave();
  expect(sent(asked, "DELETE")).toHaveLength(0);
});

test("while it can still be undone, its address says that it is gone; z brings it back", async () => {
  serve({ ...server(), [`DELETE ${PATH}`]: nothing });
  open("/");
  fireEvent.click(await screen.findByRole("link", { name: session.title ?? "" }));
  await click("Delete");
  act(() => {
    history.pushState(null, "", `/sessions/${ID}`);
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
  expect(await screen.findByText(/This session doesn’t exist/)).toBeDefined();
  fireEvent.keyDown(document.body, { key: "z", code: "KeyZ" });
  expect(await screen.findByRole("heading", { name: session.title ?? "" })).toBeDefined();
});

test("a session that could not be deleted is there again, with the reason", async () => {
  serve({ ...server(), [`DELETE ${PATH}`]: problem(503, "database-unavailable") });
  open(`/sessions/${ID}`);
  await click("Delete");
  await screen.findByText("The session was deleted.");
  leave();
  expect(await screen.findByText(/^Couldn’t delete it, so it’s still there\./)).toBeDefined();
  expect(await screen.findByRole("link", { name: session.title ?? "" })).toBeDefined();
  await click("Close");
});

test("what is deleted is gone from the list and the picture that were seen before", async () => {
  let isThere = true;
  const other = { ...session, id: "5e551000-0000-4000-8000-000000000002", title: "The other" };
  const asked = serve({
    ...server(),
    "GET /v1/sessions": () => ok(listOf(isThere ? [session, other] : [other]))(),
    [`DELETE ${PATH}`]: () => {
      isThere = false;
      return nothing();
    },
  });
  open("/");
  fireEvent.click(await screen.findByRole("link", { name: session.title ?? "" }));
  await click("Delete");
  expect(await screen.findByRole("link", { name: "The other" })).toBeDefined();
  expect(screen.queryByRole("link", { name: session.title ?? "" })).toBeNull();
  expect(await screen.findByText("1 session")).toBeDefined();
  const before = asked.length;
  leave();
  await waitFor(() => {
    expect(asked.slice(before).map(({ path }) => path)).toContain("/v1/totals/days");
  });
});

test("a file that could not be made is told of, and not saved", async () => {
  serve({
    ...server(),
    [`GET ${PATH}/export`]: problem(503, "database-unavailable", { detail: "The database is away." }),
  });
  open(`/sessions/${ID}`);
  await click("Markdown");
  expect(await screen.findByText(/^The server can’t reach its database/)).toBeDefined();
});

test("whatever pages wrote is text", async () => {
  const evil = `<img src=x onerror="document.title='run'">${"x".repeat(10_000)}`;
  const page_visits = [visitOf(0, { title: evil, url: "javascript:alert(1)", domain: "<b>.example" })];
  const highlights = [
    {
      id: "h",
      text: evil,
      note: evil,
      url_id: "u",
      url: "https://a.example",
      created_at: session.started_at,
      page_visit_id: null,
    },
  ];
  serve(server({ ...detail, page_visits, highlights }));
  open(`/sessions/${ID}`);
  await screen.findByRole("heading", { name: "Highlights" });
  expect(document.querySelector("main img")).toBeNull();
  expect(document.querySelector("main b")).toBeNull();
  expect([...document.links].filter((link) => link.href.startsWith("javascript"))).toEqual([]);
});

test("a session that goes on is followed, and followed again after a cut", async () => {
  const now = Date.now();
  const running = {
    ...detail.session,
    status: "recording" as const,
    ended_at: null,
    last_event_at: new Date(now).toISOString(),
  };
  const asked = serve(server({ ...detail, session: running }));
  open(`/sessions/${ID}`);
  await waitFor(() => {
    expect(Stream.all).toHaveLength(1);
  });
  const page_now = {
    url: "https://a.example",
    title: "Swifts",
    entered_at: new Date(now).toISOString(),
    is_focused: true,
  };
  act(() => {
    Stream.all[0]?.say("progress", { ...running, version: 7, page_now });
  });
  expect(await screen.findByText("Swifts")).toBeDefined();
  // No half of the screen is left to a map that is still to be made.
  expect(document.querySelector("article")?.dataset["map"]).toBe("false");
  await waitFor(() => {
    expect(asked.filter(({ path }) => path === PATH)).toHaveLength(2);
  });
  act(() => {
    Stream.all[0]?.cut();
  });
  await waitFor(
    () => {
      expect(Stream.all).toHaveLength(2);
    },
    { timeout: 3_000 },
  );
  act(() => {
    Stream.all[1]?.say("end", { status: "completed" });
  });
  expect(Stream.all[1]?.readyState).toBe(Stream.CLOSED);
});

test("a browser that went silent is told of, with a way on", async () => {
  const silent = { ...detail.session, status: "recording" as const, ended_at: null };
  serve(server({ ...detail, session: silent }));
  open(`/sessions/${ID}`);
  expect(await screen.findByText(/^Nothing received from the browser since/)).toBeDefined();
  expect(screen.getByRole("link", { name: "Show devices" })).toBeDefined();
  const span = screen.getByText("Total time").parentElement;
  expect(span?.textContent).toBe("Total time20:00"); // and does not tick on
});

test.each([
  { about: "empty", shown: { ...detail, page_visits: [] }, says: "Nothing was recorded" },
  {
    about: "failed",
    shown: { ...detail, session: { ...detail.session, status: "failed" as const, error: "boom" } },
    says: "This session couldn’t be processed.",
  },
])("a session that is $about says so", async ({ shown, says }) => {
  serve(server(shown));
  open(`/sessions/${ID}`);
  expect(await screen.findByText(says)).toBeDefined();
});

test("a session that is gone leads back", async () => {
  serve({ ...inside, [`GET ${PATH}`]: problem(404, "session-not-found") });
  open(`/sessions/${ID}`);
  expect(await screen.findByText(/^This session doesn’t exist/)).toBeDefined();
  expect(screen.getByRole("link", { name: "All sessions" }).getAttribute("href")).toBe("/");
});

const LIGHTHOUSES = "Lighthouses of the North Sea";

test.each([
  { more_pages: 9, name: `${LIGHTHOUSES} and 9 more pages` },
  { more_pages: 1, name: `${LIGHTHOUSES} and 1 more page` },
  { more_pages: 0, name: LIGHTHOUSES },
])("a session without a title is named after what was read most: $name", async ({ more_pages, name }) => {
  const named_after = { title: LIGHTHOUSES, more_pages };
  serve(server({ ...detail, session: { ...detail.session, title: null, named_after } }));
  open(`/sessions/${ID}`);
  expect(await screen.findByRole("heading", { name })).toBeDefined();
  expect(document.title).toBe(`${name} – MindHit`);
  await click("Rename");
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe(""); // it has no title of its own yet
});

test("what a reader called a session stands before what was read in it", async () => {
  const named_after = { title: LIGHTHOUSES, more_pages: 9 };
  serve(server({ ...detail, session: { ...detail.session, named_after } }));
  open(`/sessions/${ID}`);
  expect(await screen.findByRole("heading", { name: "A first sourdough" })).toBeDefined();
});

test("a deleted session leads back to the search it was opened from", async () => {
  serve(server());
  open("/?q=bread");
  await click(session.title ?? "", "link");
  await click("Delete");
  expect(await screen.findByText("The session was deleted.")).toBeDefined();
  expect(here()).toBe("/?q=bread");
  await click("Undo");
  expect(await screen.findByRole("link", { name: session.title ?? "" })).toBeDefined();
});

test("a session of pauses alone says that nothing was recorded", async () => {
  const pause = {
    kind: "idle" as const,
    entered_at: session.started_at,
    left_at: session.ended_at,
    duration_ms: 9,
  };
  serve(server(detailOf({ pauses: [pause] })));
  open(`/sessions/${ID}`);
  expect(await screen.findByRole("heading", { name: "Nothing was recorded" })).toBeDefined();
});
