import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { click, inside, ok, open, problem, sent, serve, session, type Server } from "../testing";
import type { VisitedPage } from "./api";

const ID = "0a000000-0000-4000-8000-000000000001";
const PAGE: VisitedPage = {
  url_id: ID,
  url: "https://site.example/swift",
  domain: "site.example",
  title: "Common swift",
  favicon: null,
  summary: "Swifts sleep on the wing.",
  keywords: ["swift", "flight"],
  content_status: "extracted",
  text: "<b>Everything</b> about swifts.",
  read_at: session.started_at,
  first_at: session.started_at,
  last_at: session.ended_at,
  focused_ms: 125_000,
  visit_count: 1,
  visits: [
    {
      id: `${session.id}:7`,
      session_id: session.id,
      session_title: "Birds",
      title: "Common swift",
      entered_at: session.started_at,
      left_at: session.ended_at ?? "",
      duration_ms: 125_000,
      is_focused: true,
      transition: "link",
      came_from: "https://search.example/",
    },
  ],
  highlights: [],
  reached_from: [
    {
      url_id: "u2",
      url: "https://search.example/",
      domain: "search.example",
      title: null,
      favicon: null,
      visits: 3,
    },
  ],
  opened: [],
};

const served = (page: VisitedPage, more: Server = {}): Server => ({
  ...inside,
  [`GET /v1/visited/${ID}`]: ok(page),
  "POST /v1/pages/lookup": ok({ pages: [], seen: null }),
  ...more,
});

test("a page shows what it said, its visits, and the pages around it", async () => {
  serve(served(PAGE));
  open(`/pages/${ID}`);
  await screen.findByRole("heading", { name: "Common swift", level: 1 });
  expect(screen.getByText("Swifts sleep on the wing.")).toBeTruthy();
  expect(screen.getByText("<b>Everything</b> about swifts.")).toBeTruthy();
  const visits = within(screen.getByRole("region", { name: "Visits" }));
  expect(visits.getByRole("link").getAttribute("href")).toBe(`/sessions/${session.id}?visit=7`);
  expect(screen.getByRole("link", { name: "search.example" }).getAttribute("href")).toBe("/pages/u2");
  expect(screen.getByText("3 times")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Opened from here" })).toBeNull();
  expect(screen.getByRole("link", { name: "Open original" }).getAttribute("href")).toBe(PAGE.url);
});

test("it is saved to the library once, and then leads there", async () => {
  let pages: object[] = [];
  const asked = serve(
    served(PAGE, {
      "POST /v1/pages/lookup": () => Response.json({ pages, seen: null }),
      "POST /v1/pages": () => {
        pages = [{ id: "p1" }];
        return Response.json({ id: "p1" }, { status: 201 });
      },
    }),
  );
  open(`/pages/${ID}`);
  await click("Save to library");
  const link = await screen.findByRole("link", { name: "Show in library" });
  expect(link.getAttribute("href")).toBe("/library/pages/p1");
  expect(
    sent(asked, "POST")
      .filter(({ path }) => path === "/v1/pages")
      .map(({ body }) => body),
  ).toEqual([{ address: PAGE.url, folder_id: null }]);
});

test("an address that runs something is no link", async () => {
  serve(served({ ...PAGE, url: "javascript:alert(1)", visits: [], reached_from: [] }));
  open(`/pages/${ID}`);
  await screen.findByRole("heading", { name: "Common swift", level: 1 });
  expect([...document.links].filter((link) => link.href.startsWith("javascript"))).toEqual([]);
});

test("a page that was forgotten says so", async () => {
  serve({ ...inside, [`GET /v1/visited/${ID}`]: problem(404, "page-not-visited") });
  open(`/pages/${ID}`);
  await screen.findByText("You haven’t visited this page, or it was forgotten.");
});
