/** For tests: folders, saved pages and imports. */
import { inside, ok, type Server } from "../testing";
import type { Folder, Import, SavedPage } from "./api";

const AT = "2026-11-15T10:00:00Z";

export function folder(id: string, more: Partial<Folder> = {}): Folder {
  return {
    id,
    sync_id: id,
    parent_id: null,
    name: `Folder ${id}`,
    position: 1,
    page_count: 0,
    created_at: AT,
    updated_at: AT,
    ...more,
  };
}

export function page(id: string, more: Partial<SavedPage> = {}): SavedPage {
  return {
    id,
    sync_id: id,
    kind: "link",
    url_id: `url-${id}`,
    address: `https://site.example/${id}`,
    domain: "site.example",
    title: `Page ${id}`,
    note: null,
    tags: [],
    archived_at: null,
    folder_id: null,
    position: 1,
    created_at: AT,
    updated_at: AT,
    link: null,
    enrichment: { state: "waiting", reason: null, attempts: 0, run_after: null },
    ...more,
  };
}

export function importJob(more: Partial<Import> = {}): Import {
  return {
    id: "i1",
    source_type: "chrome_html",
    status: "running",
    file_name: "bookmarks.html",
    folder_id: null,
    total_items: 100,
    processed_items: 10,
    failed_items: 0,
    added_items: 10,
    last_error: null,
    created_at: AT,
    started_at: AT,
    finished_at: null,
    ...more,
  };
}

export const listOfPages = (pages: readonly SavedPage[]) => ok({ pages, next_cursor: null });

/** A library with two folders, one in the other, and two pages. */
export const library: Server = {
  ...inside,
  "GET /v1/folders": ok({
    folders: [folder("f1", { name: "Bread", page_count: 2 }), folder("f2", { name: "Rye", parent_id: "f1" })],
  }),
  "GET /v1/pages/tags": ok({ tags: [{ tag: "sour", pages: 1 }] }),
  "GET /v1/pages": listOfPages([page("p1", { tags: ["sour"] }), page("p2", { position: 2 })]),
  "GET /v1/imports": ok({ imports: [] }),
};
