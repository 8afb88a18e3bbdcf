import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  click,
  here,
  inside,
  leave,
  nothing,
  ok,
  open,
  sent,
  serve,
  stubDialogs,
  type,
  type Server,
} from "../testing";
import type { Hit } from "./api";

const HIT: Hit = {
  kind: "page",
  id: "h1",
  session_id: "5e551000-0000-4000-8000-000000000001",
  visit: 7,
  page_id: null,
  url_id: "0a000000-0000-4000-8000-000000000001",
  title: "How to bake a loaf",
  url: "https://bread.example/loaf",
  domain: "bread.example",
  at: "2026-11-15T10:00:00Z",
  found_in: "text",
  snippet: [
    ["raised by ", false],
    ["wild yeast", true],
    [" & <b>bacteria</b>", false],
  ],
};

const found = (more: object = {}) => ({
  hits: [HIT],
  facets: { kind: [{ value: "page", count: 1 }], domain: [{ value: "bread.example", count: 1 }] },
  count: 1,
  is_counted: true,
  is_loose: false,
  next: null,
  ...more,
});

const server: Server = {
  ...inside,
  "GET /v1/search": ok(found()),
  "GET /v1/saved-searches": ok({ searches: [] }),
};

beforeEach(() => {
  stubDialogs();
});

test("slash opens the palette, and Enter the visit that was found", async () => {
  const asked = serve(server);
  open("/");
  await screen.findByRole("button", { name: /^Search/ });
  fireEvent.keyDown(document.body, { key: "/", code: "Slash" });
  await type("Search or go to…", "yeast");
  const option = await screen.findByRole("option", { name: /How to bake a loaf/ });
  expect(option.getAttribute("aria-selected")).toBe("true");
  fireEvent.keyDown(screen.getByRole("combobox"), { key: "Enter", isComposing: true }); // ends a syllable of Hangul
  expect(here()).toBe("/");
  fireEvent.keyDown(screen.getByRole("combobox"), { key: "Enter" });
  expect(here()).toBe(`/sessions/${HIT.session_id ?? ""}?visit=7`);
  const searched = asked.filter(({ path }) => path === "/v1/search").map(({ query }) => query.get("q"));
  expect(searched).toEqual(["yeast"]);
});

test("the palette goes to screens, by keyboard alone", async () => {
  serve(server);
  open("/settings");
  await screen.findByRole("button", { name: /^Search/ });
  fireEvent.keyDown(document.body, { key: "k", code: "KeyK", ctrlKey: true });
  await type("Search or go to…", "libr");
  fireEvent.keyDown(await screen.findByRole("combobox"), { key: "ArrowUp" });
  const last = await screen.findByRole("option", { name: "Go to Library" });
  expect(last.getAttribute("aria-selected")).toBe("true");
  fireEvent.keyDown(screen.getByRole("combobox"), { key: "Enter" });
  expect(here()).toBe("/library");
});

test("results are shown with what was found marked, as text", async () => {
  serve(server);
  open("/search?q=yeast");
  const row = (await screen.findByRole("link", { name: HIT.title ?? "" })).closest("li") as HTMLElement;
  expect(row.querySelector("mark")?.textContent).toBe("wild yeast");
  expect(within(row).getByText("& <b>bacteria</b>", { exact: false })).toBeDefined();
  expect(row.querySelector("b")).toBeNull();
  expect(screen.getByText("1 result")).toBeDefined();
});

test("what is typed, and what narrows it, is in the address", async () => {
  const asked = serve(server);
  open("/search");
  await type("Search", "yeast");
  await waitFor(() => {
    expect(here()).toBe("/search?q=yeast");
  });
  fireEvent.change(await screen.findByLabelText("Type"), { target: { value: "page" } });
  fireEvent.change(await screen.findByLabelText("Site"), { target: { value: "bread.example" } });
  fireEvent.change(await screen.findByLabelText("Time"), { target: { value: "30" } });
  expect(here()).toBe("/search?q=yeast&kind=page&domain=bread.example&days=30");
  await waitFor(() => {
    const last = asked.filter(({ path }) => path === "/v1/search").at(-1);
    expect(last?.query.get("kind")).toBe("page");
    expect(last?.query.get("domain")).toBe("bread.example");
    expect(last?.query.get("from")).not.toBeNull();
  });
  fireEvent.change(await screen.findByLabelText("Type"), { target: { value: "" } });
  expect(here()).toBe("/search?q=yeast&domain=bread.example&days=30");
});

test("a search is saved and deleted", async () => {
  const kept = { id: "s1", name: "yeast", query: "yeast", created_at: HIT.at };
  let searches: object[] = [];
  const asked = serve({
    ...server,
    "GET /v1/saved-searches": () => ok({ searches })(),
    "POST /v1/saved-searches": () => {
      searches = [kept];
      return ok(kept, 201)();
    },
    "DELETE /v1/saved-searches/s1": () => {
      searches = [];
      return nothing();
    },
  });
  open("/search?q=yeast");
  await click("Save this search");
  await click("Delete saved search yeast");
  expect(await screen.findByRole("button", { name: "Save this search" })).toBeDefined();
  expect(screen.getByText("The saved search “yeast” was deleted.")).toBeDefined();
  leave();
  await waitFor(() => {
    expect(sent(asked, "DELETE")).toHaveLength(1);
  });
  expect(sent(asked, "POST")[0]?.body).toEqual({ name: "yeast", query: "yeast" });
});

test("nothing found, and what comes closest, are said", async () => {
  serve({ ...server, "GET /v1/search": ok(found({ hits: [], count: 0, facets: { kind: [], domain: [] } })) });
  open("/search?q=zyzzyva");
  expect(await screen.findByText("Nothing found for “zyzzyva”.")).toBeDefined();
  serve({ ...server, "GET /v1/search": ok(found({ is_loose: true })) });
  open("/search?q=many+words");
  expect(await screen.findByText(/These come closest/)).toBeDefined();
});
