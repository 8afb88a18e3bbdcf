import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { click, detailOf, inside, ok, open, serve, session, stubStreams, visit } from "../testing";
import type { Visit } from "./api";
import { trailsOf, type Trail } from "./trail";

function seen(n: number, page: string, from: string | null): Visit {
  const url = `https://site.example/${page}`;
  const came_from = from === null ? null : `https://site.example/${from}`;
  return { ...visit, id: `${session.id}:${n}`, visit_order: n, url, url_id: page, title: page, came_from };
}

const shape = (trails: readonly Trail[]): unknown[] =>
  trails.map(({ page, opened }) => (opened.length > 0 ? [page.title, shape(opened)] : page.title));

test("pages stand below the page that first led to them, in order of time", () => {
  const visits = [
    seen(1, "search", null),
    seen(2, "bread", "search"),
    seen(3, "rye", "bread"),
    seen(4, "search", "rye"), // back: it keeps its place
    seen(5, "tea", "search"),
    seen(6, "news", "nowhere that was recorded"),
  ];
  expect(shape(trailsOf([...visits].reverse()))).toEqual([["search", [["bread", ["rye"]], "tea"]], "news"]);
});

test("two pages that lead to each other make no circle", () => {
  expect(shape(trailsOf([seen(1, "a", "b"), seen(2, "b", "a"), seen(3, "a", "b")]))).toEqual([["a", ["b"]]]);
});

test("a session shows how one got from page to page", async () => {
  stubStreams();
  serve({
    ...inside,
    [`GET /v1/sessions/${session.id}`]: ok(
      detailOf({ page_visits: [seen(1, "search", null), seen(2, "bread", "search")] }),
    ),
  });
  open(`/sessions/${session.id}`);
  await click("How I got there");
  const row = (await screen.findByRole("link", { name: "bread" })).closest("li");
  expect(row?.dataset["depth"]).toBe("1");
});
