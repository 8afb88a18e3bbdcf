import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import {
  click,
  here,
  leave,
  nothing,
  ok,
  open,
  problem,
  sent,
  serve,
  Stream,
  stubDialogs,
  stubStreams,
  type,
  type Server,
} from "../testing";
import { importJob, library, listOfPages, page } from "./testing";

beforeEach(() => {
  stubDialogs();
});

const dataTransfer = { setData: () => undefined, effectAllowed: "" };

test("a page dragged onto a folder is moved there", async () => {
  const asked = serve({ ...library, "POST /v1/pages/batch": nothing });
  open("/library");
  const row = (await screen.findByText("Page p1")).closest("li");
  const target = await screen.findByRole("treeitem", { name: /Bread/ });
  fireEvent.dragStart(row as HTMLElement, { dataTransfer });
  fireEvent.dragOver(target, { dataTransfer });
  fireEvent.drop(target, { dataTransfer });
  expect(await screen.findByText("Moved 1 page to Bread.")).toBeDefined();
  expect(sent(asked, "POST")[0]?.body).toEqual({ delete: false, folder_id: "f1", ids: ["p1"] });
});

test("selected pages are moved by keyboard, tagged and deleted together", async () => {
  const asked = serve({ ...library, "POST /v1/pages/batch": nothing });
  open("/library");
  await click("Select all shown", "checkbox");
  await click("Add tags…");
  await type("Tags", "rye, dark");
  await click("Add tags");
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.body).toEqual({
      delete: false,
      add_tags: ["rye", "dark"],
      ids: ["p1", "p2"],
    });
  });
  await click("Move to…");
  await type("Find a folder", "rye");
  await click("Move");
  expect(await screen.findByText("Moved 2 pages to Rye.")).toBeDefined();
  await click("Select all shown", "checkbox");
  await click("Delete");
  expect(await screen.findByText("2 pages were deleted.")).toBeDefined();
  expect(screen.queryByRole("checkbox", { name: "Select all shown" })).toBeNull();
  leave();
  await waitFor(() => {
    expect(sent(asked, "POST")[2]?.body).toEqual({ delete: true, ids: ["p1", "p2"] });
  });
});

test("arrow keys open folders and go through the tree; Enter opens a folder", async () => {
  serve(library);
  open("/library");
  const bread = await screen.findByRole("treeitem", { name: /Bread/ });
  expect(screen.queryByRole("treeitem", { name: /Rye/ })).toBeNull();
  fireEvent.keyDown(bread, { key: "ArrowRight" });
  const rye = await screen.findByRole("treeitem", { name: /Rye/ });
  expect(rye.getAttribute("aria-level")).toBe("2");
  fireEvent.keyDown(rye, { key: "Enter" });
  expect(here()).toBe("/library?folder=f2");
  expect(await screen.findByRole("heading", { level: 1, name: "Rye" })).toBeDefined();
});

test("an address is saved in the open folder; one that can't be is explained", async () => {
  const server: Server = { ...library, "POST /v1/pages": problem(422, "bad-saved-page") };
  const asked = serve(server);
  open("/library?folder=f1");
  await screen.findByRole("heading", { level: 1, name: "Bread" });
  await type("Save a page", "ftp:");
  await click("Save");
  expect((await screen.findByRole("alert")).textContent).toContain("can’t be saved");
  server["POST /v1/pages"] = ok(page("p9"), 201);
  await type("Save a page", "site.example/9");
  await click("Save");
  expect(await screen.findByText("This page is already here.")).toBeDefined();
  expect(sent(asked, "POST")[1]?.body).toEqual({ address: "site.example/9", folder_id: "f1" });
});

test("only pages of the web are links", async () => {
  const code = page("p3", { kind: "other", address: "javascript:alert(1)", title: "A bookmarklet" });
  serve({ ...library, "GET /v1/pages": listOfPages([page("p1"), code]) });
  open("/library");
  expect((await screen.findByText("Page p1")).closest("a")?.getAttribute("rel")).toContain("noreferrer");
  expect(screen.getByText("A bookmarklet").closest("a")).toBeNull();
});

test("of a long list only what is near the window is in the page", async () => {
  const many = Array.from({ length: 3_000 }, (_, n) => page(`n${n}`));
  serve({ ...library, "GET /v1/pages": listOfPages(many) });
  open("/library");
  await screen.findByText("Page n0");
  expect(screen.getAllByRole("checkbox").length).toBeLessThan(100);
});

test("a dead page says why and is tried again; its image is never loaded", async () => {
  const link = {
    title: "Rye",
    description: "About rye.",
    image: "https://site.example/rye.png",
    site_name: null,
    favicon: null,
    language: "en",
    canonical: null,
    summary: "Rye is a grain.",
    keywords: ["rye"],
    engine: "builtin",
    enriched_at: "2026-11-15T10:00:00Z",
  };
  const reason = "The site does not let MindHit read this page. (the site answered 403)";
  const dead = page("p1", { link, enrichment: { state: "dead", reason, attempts: 1, run_after: null } });
  const asked = serve({
    ...library,
    "GET /v1/pages/p1": ok(dead),
    "POST /v1/pages/p1/enrich": ok(page("p1"), 202),
  });
  open("/library/pages/p1");
  expect(
    await screen.findByText(/doesn’t let MindHit read this page. \(the site answered 403\)/),
  ).toBeDefined();
  expect(screen.getByText("Rye is a grain.")).toBeDefined();
  expect(document.querySelector("img")).toBeNull();
  await click("Try again");
  await waitFor(() => {
    expect(sent(asked, "POST").map(({ path }) => path)).toEqual(["/v1/pages/p1/enrich"]);
  });
});

test("title, note and tags are saved", async () => {
  const asked = serve({
    ...library,
    "GET /v1/pages/p1": ok(page("p1")),
    "PATCH /v1/pages/p1": ok(page("p1", { title: "New" })),
  });
  open("/library/pages/p1");
  await type("Title", "New");
  await type("Note", "Bake it.");
  await type("Tags", "a, b");
  await click("Save");
  expect(await screen.findByText("Saved.")).toBeDefined();
  expect(sent(asked, "PATCH")[0]?.body).toEqual({ title: "New", note: "Bake it.", tags: ["a", "b"] });
});

test("dead links have their reason, and each can be tried again", async () => {
  const reason = "The site shows a test for humans instead of the page.";
  const dead = page("p1", { enrichment: { state: "dead", reason, attempts: 1, run_after: null } });
  const asked = serve({
    ...library,
    "GET /v1/pages": listOfPages([dead]),
    "POST /v1/pages/p1/enrich": ok(page("p1"), 202),
  });
  open("/library/dead");
  expect(await screen.findByText(/shows a CAPTCHA/)).toBeDefined();
  await click("Try again");
  await waitFor(() => {
    expect(sent(asked, "POST")).toHaveLength(1);
  });
  expect(asked.find(({ path }) => path === "/v1/pages")?.query.get("state")).toBe("dead");
});

test("an import is watched live, can be cancelled, and lists what failed with its line", async () => {
  stubStreams();
  const server: Server = {
    ...library,
    "GET /v1/imports": ok({ imports: [importJob()] }),
    "POST /v1/imports/i1/cancel": ok(importJob({ status: "canceled" })),
    "GET /v1/imports/i1": ok({
      job: importJob(),
      failures: [{ line: 7, reason: "There is no address.", excerpt: "<A HREF>" }],
    }),
  };
  const asked = serve(server);
  open("/library/import");
  expect(await screen.findByText(/10 of 100/)).toBeDefined();
  act(() => Stream.all[0]?.say("progress", importJob({ processed_items: 60, failed_items: 1 })));
  expect(await screen.findByText(/60 of 100/)).toBeDefined();
  await click("Cancel import");
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.path).toBe("/v1/imports/i1/cancel");
  });
  server["GET /v1/imports"] = ok({ imports: [importJob({ status: "canceled", failed_items: 1 })] });
  act(() => Stream.all[0]?.say("end", { status: "canceled" }));
  expect(await screen.findByText("Cancelled")).toBeDefined();
  const details = (await screen.findByText("Show 1 entry that failed")).closest("details");
  if (details === null) throw new Error("no details");
  details.open = true;
  fireEvent(details, new Event("toggle"));
  expect(await screen.findByText("There’s no address.")).toBeDefined();
  expect(screen.getByText("7")).toBeDefined();
});

test("an import that ends before its progress stream opens still shows its folders", async () => {
  stubStreams();
  const server: Server = {
    ...library,
    "GET /v1/imports": ok({ imports: [] }),
    "POST /v1/imports": ok(importJob({ status: "queued" })),
  };
  const asked = serve(server);
  open("/library/import");
  const file = await screen.findByLabelText("Bookmarks file");
  const loaded = () => asked.filter(({ path }) => path === "/v1/folders").length;
  await waitFor(() => {
    expect(loaded()).toBe(1);
  });
  server["GET /v1/imports"] = ok({ imports: [importJob({ status: "succeeded" })] });
  fireEvent.change(file, { target: { files: [new File(["<DL>"], "bookmarks.html")] } });
  await click("Import");
  expect(await screen.findByText("Done")).toBeDefined();
  await waitFor(() => {
    expect(loaded()).toBeGreaterThan(1);
  });
});

test("without a file nothing is imported; an export is saved under the server's name", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined });
  const headers = { "content-disposition": 'attachment; filename="mindhit-bookmarks-2026-11-17.csv"' };
  const asked = serve({ ...library, "GET /v1/library/export": () => new Response("a", { headers }) });
  open("/library/import");
  await click("Import");
  expect(await screen.findByText("Choose a file first.")).toBeDefined();
  expect(sent(asked, "POST")).toEqual([]);
  await click("CSV");
  expect(await screen.findByText("Downloaded mindhit-bookmarks-2026-11-17.csv.")).toBeDefined();
  expect(saved).toEqual(["mindhit-bookmarks-2026-11-17.csv"]);
});
