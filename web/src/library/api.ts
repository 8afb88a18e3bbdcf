/** The library over HTTP: one function per call that the screens make, and the names of what comes back. */
import { Problem, type components } from "@mindhit/client";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Folder = Schemas["Folder"];
export type SavedPage = Schemas["SavedPage"];
export type Import = Schemas["Import"];
export type PageUpdate = Schemas["PageUpdate"];
export type FolderUpdate = Schemas["FolderUpdate"];
export type PagesUpdate = Partial<Omit<Schemas["PagesUpdate"], "ids">>;
export type Format = "html" | "json" | "csv";

export interface PageFilter {
  /** Directly in this folder, or at the `top`. */
  readonly folder?: string;
  readonly tag?: string;
  readonly archived?: boolean;
  readonly state?: "dead";
}

const PAGE_SIZE = 100;
const MOST_AT_ONCE = 500; // of one call that changes several
const WAITING_POLL_MS = 5_000;

export const libraryKey = ["mine", "library"] as const;
export const importsKey = [...libraryKey, "imports"] as const;

export const foldersQuery = queryOptions({
  queryKey: [...libraryKey, "folders"],
  queryFn: async ({ signal }) => (await api("get", "/v1/folders", { signal })).folders,
});

export const tagsQuery = queryOptions({
  queryKey: [...libraryKey, "tags"],
  queryFn: async ({ signal }) => (await api("get", "/v1/pages/tags", { signal })).tags,
});

export const pagesQuery = (filter: PageFilter) =>
  infiniteQueryOptions({
    queryKey: [...libraryKey, "pages", filter],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/pages", {
        query: { ...filter, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });

/** Asked again as long as the server has not read the page yet. */
export const pageQuery = (id: string) =>
  queryOptions({
    queryKey: [...libraryKey, "page", id],
    queryFn: ({ signal }) => api("get", "/v1/pages/{page_id}", { path: { page_id: id }, signal }),
    refetchInterval: ({ state }) => (state.data?.enrichment?.state === "waiting" ? WAITING_POLL_MS : false),
  });

/** Where an address is saved. */
export const knownQuery = (address: string) =>
  queryOptions({
    queryKey: [...libraryKey, "known", address],
    queryFn: ({ signal }) => api("post", "/v1/pages/lookup", { body: { address }, signal }),
  });

export function isRunning({ status }: Import): boolean {
  return status === "queued" || status === "running";
}

export const importsQuery = queryOptions({
  queryKey: [...importsKey, "list"],
  queryFn: async ({ signal }) => (await api("get", "/v1/imports", { signal })).imports,
});

export const failuresQuery = (id: string) =>
  queryOptions({
    queryKey: [...importsKey, "failures", id],
    queryFn: async ({ signal }) =>
      (await api("get", "/v1/imports/{import_id}", { path: { import_id: id }, signal })).failures,
  });

export const addFolder = (name: string, parentId: string | null) =>
  api("post", "/v1/folders", { body: { name, parent_id: parentId } });
export const changeFolder = (id: string, body: FolderUpdate) =>
  api("patch", "/v1/folders/{folder_id}", { path: { folder_id: id }, body });
export const deleteFolder = (id: string) =>
  api("delete", "/v1/folders/{folder_id}", { path: { folder_id: id } });

export const savePage = (address: string, folderId: string | null) =>
  api("post", "/v1/pages", { body: { address, folder_id: folderId } });
export const changePage = (id: string, body: PageUpdate) =>
  api("patch", "/v1/pages/{page_id}", { path: { page_id: id }, body });
export const readAgain = (id: string) => api("post", "/v1/pages/{page_id}/enrich", { path: { page_id: id } });

export async function changePages(ids: readonly string[], change: PagesUpdate): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE)
    await api("post", "/v1/pages/batch", {
      body: { delete: false, ...change, ids: ids.slice(at, at + MOST_AT_ONCE) },
      ...(change.delete === true && { keepalive: true }),
    });
}

export const cancelImport = (id: string) =>
  api("post", "/v1/imports/{import_id}/cancel", { path: { import_id: id } });

/** The file is sent as it is, by the browser itself: it may be too large for this page's memory. */
export async function startImport(file: File, folderId: string | null): Promise<Import> {
  const query = new URLSearchParams({ file_name: file.name.slice(0, 255) });
  if (folderId !== null) query.set("folder_id", folderId);
  const response = await fetch(`/v1/imports?${query.toString()}`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/octet-stream" },
    body: file,
  });
  const text = await response.text();
  if (!response.ok) throw Problem.from(response, text);
  return JSON.parse(text) as Import;
}

/** Fetched first and saved afterwards, so that a failure is shown on the page instead of being saved as a file. */
export async function getExport(format: Format): Promise<{ readonly name: string; readonly body: Blob }> {
  const response = await fetch(`/v1/library/export?format=${format}`);
  if (!response.ok) throw Problem.from(response, await response.text());
  const name = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { name: name ?? `mindhit-bookmarks.${format}`, body: await response.blob() };
}
