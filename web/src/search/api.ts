/** Search over HTTP, and the searches that a person keeps. */
import type { components } from "@mindhit/client";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Hit = Schemas["Hit"];
export type Kind = Hit["kind"];
export type SavedSearch = Schemas["SavedSearch"];

export interface Wanted {
  readonly q: string;
  readonly kind?: Kind;
  readonly domain?: string;
  /** The last so many days. */
  readonly days?: number;
}

const PAGE_SIZE = 20;
const SUGGESTED = 8;
const DAY_MS = 86_400_000;

const searchKey = ["mine", "search"] as const;
const savedKey = ["mine", "saved-searches"] as const;

export const resultsQuery = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: [...searchKey, wanted],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/search", {
        query: {
          ...queryOf(wanted),
          limit: PAGE_SIZE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled: wanted.q.trim() !== "",
  });

export const suggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: [...searchKey, "suggested", q],
    queryFn: ({ signal }) => api("get", "/v1/search", { query: { q, limit: SUGGESTED }, signal }),
    placeholderData: keepPreviousData,
    enabled: q !== "",
  });

export const savedQuery = queryOptions({
  queryKey: savedKey,
  queryFn: async ({ signal }) => (await api("get", "/v1/saved-searches", { signal })).searches,
});

export function saveSearch(query: string): Promise<SavedSearch> {
  return api("post", "/v1/saved-searches", { body: { name: query.slice(0, 100), query } });
}

export function deleteSearch(id: string): Promise<unknown> {
  return api("delete", "/v1/saved-searches/{search_id}", { path: { search_id: id }, keepalive: true });
}

function queryOf({ q, kind, domain, days }: Wanted) {
  return {
    q,
    ...(kind === undefined ? {} : { kind: [kind] }),
    ...(domain === undefined ? {} : { domain }),
    ...(days === undefined ? {} : { from: new Date(Date.now() - days * DAY_MS).toISOString() }),
  };
}

/** Is it of something that was deleted a moment ago? */
export function isHidden(
  { session_id, page_id }: Pick<Hit, "session_id" | "page_id">,
  hidden: ReadonlySet<string>,
): boolean {
  return hidden.has(session_id ?? "") || hidden.has(page_id ?? "");
}

/** Where a hit opens: in its session at the very visit, or in the library. */
export function addressOf({ session_id, visit, page_id }: Hit): string {
  if (page_id !== null) return `/library/pages/${page_id}`;
  const at = visit === null ? "" : `?visit=${String(visit)}`;
  return `/sessions/${session_id ?? ""}${at}`;
}
