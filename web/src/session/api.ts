/** Sessions over HTTP: one function per call that the screens make, and the names of what comes back. */
import { Problem, type components } from "@mindhit/client";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Summary = Schemas["SessionSummary"];
export type Detail = Schemas["SessionDetail"];
export type Visit = Schemas["PageVisitItem"];
export type Pause = Schemas["PauseItem"];
export type Highlight = Schemas["HighlightItem"];
export type Hole = Schemas["Hole"];
export type Progress = Schemas["Progress"];
export type Report = Schemas["Report"];
export type Status = Summary["status"];
export type Day = Schemas["Day"];
export type Format = "md" | "json" | "csv";

export const STATUSES = [
  "recording",
  "processing",
  "completed",
  "failed",
] as const satisfies readonly Status[];

export interface SessionFilter {
  readonly search?: string;
  readonly status?: Status;
  readonly domain?: string;
  /** Moments, ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}

const PAGE_SIZE = 40;
const NEWEST_POLL_MS = 4_000;

export const listKey = ["mine", "sessions", "list"] as const;

export const listQuery = (filter: SessionFilter) =>
  infiniteQueryOptions({
    queryKey: [...listKey, filter],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/sessions", {
        query: { ...filter, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });

/** The newest few, params for again and again: how a recording that was just started is noticed. */
export const newestQuery = queryOptions({
  queryKey: ["mine", "sessions", "newest"],
  queryFn: ({ signal }) => api("get", "/v1/sessions", { query: { limit: 5 }, signal }),
  refetchInterval: NEWEST_POLL_MS,
  staleTime: NEWEST_POLL_MS,
});

export const detailQuery = (id: string) =>
  queryOptions({
    queryKey: ["mine", "sessions", "one", id],
    queryFn: ({ signal }) => api("get", "/v1/sessions/{session_id}", { path: { session_id: id }, signal }),
  });

export const daysQuery = (from: string | undefined, count: number) =>
  queryOptions({
    queryKey: ["mine", "days", from ?? "now", count],
    queryFn: ({ signal }) =>
      api("get", "/v1/totals/days", {
        query: { count, limit: 30, ...(from === undefined ? {} : { from }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** Active time of the days on which something was read; without domains, so that a year is cheap. */
export const calendarQuery = (from: string | undefined, count: number) =>
  queryOptions({
    queryKey: ["mine", "days", "calendar", from ?? "now", count],
    queryFn: ({ signal }) =>
      api("get", "/v1/totals/calendar", {
        query: { count, ...(from === undefined ? {} : { from }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** Active time by topic or by domain, most first. */
export const rankedQuery = (by: "topic" | "domain", from: string, to: string, limit: number) =>
  queryOptions({
    queryKey: ["mine", "ranked", by, from, to, limit],
    queryFn: async ({ signal }) => {
      const totals = await api("get", "/v1/totals", { query: { by, from, to, limit }, signal });
      const ranked =
        "topics" in totals
          ? totals.topics.map(({ topic, ...sums }) => ({ name: topic, ...sums }))
          : totals.domains.map(({ domain, ...sums }) => ({ name: domain, ...sums }));
      return { by, ranked };
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** Fails with a conflict if the title isn't `was` anymore. */
export const rename = (id: string, title: string, was: string | null) =>
  api("patch", "/v1/sessions/{session_id}", { path: { session_id: id }, body: { title, was } });
export const remove = (id: string) =>
  api("delete", "/v1/sessions/{session_id}", { path: { session_id: id }, keepalive: true });
export type Again = "summaries" | "map";
/** Processes a session from the first step that is missing; what is in `again` is made again. */
export const reprocess = (id: string, again: readonly Again[] = []) =>
  api("post", "/v1/sessions/{session_id}/reprocess", { path: { session_id: id }, body: { again } });

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ["mine", "sessions", "report", id],
    queryFn: ({ signal }) =>
      api("get", "/v1/sessions/{session_id}/report", { path: { session_id: id }, signal }),
    staleTime: 0,
  });

export interface File {
  readonly name: string;
  readonly body: Blob;
}

/** Fetched first and saved afterwards, so that a failure is shown on the page instead of being saved as a file. */
export async function getFile(id: string, format: Format): Promise<File> {
  const response = await fetch(`/v1/sessions/${encodeURIComponent(id)}/export?format=${format}`);
  if (!response.ok) throw Problem.from(response, await response.text());
  const name = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { name: name ?? `mindhit-session.${format}`, body: await response.blob() };
}
