/** Watched pages, their runs and products over HTTP: one function per call that the screens make. */
import type { components } from "@mindhit/client";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Schedule = Schemas["Schedule"];
export type Alerts = Schemas["Alerts"];
export type Run = Schemas["Run"];
export type Task = Schemas["Task"];
export type Execution = Schemas["Execution"];
export type Product = Schemas["Product"];
export type Option = Schemas["Option"];
export type Change = Schemas["Change"];
export type DeadLetter = Schemas["DeadLetter"];
export type NewSchedule = Schemas["NewSchedule"];
export type TaskStatus = Task["status"];
export type Stock = "in" | "out" | "gone";

export interface ProductFilter {
  readonly search?: string;
  readonly scheduler_id?: string;
  readonly stock?: Stock;
}

const PAGE_SIZE = 50;
const MOST_SCHEDULES = 200;
const RUNS = 20;
/** How often a screen looks while something is under way. */
const LOOK_AGAIN_MS = 2_000;
/** And where it takes its time: it began a while ago, or its site is not visited for now. */
const LOOK_SELDOM_MS = 15_000;
const SOON_MS = 60_000;

export const shopsKey = ["mine", "shops"] as const;

export function isUnderWay(status: TaskStatus | null): boolean {
  return status !== null && status !== "SUCCESS" && status !== "FAILED";
}

interface UnderWay {
  readonly since: string;
  readonly isVisited?: boolean;
}

/** When to look again at what isn't finished. */
export function lookAgain(busy: readonly UnderWay[], now = Date.now()): number | false {
  if (busy.length === 0) return false;
  const isSoon = busy.some(({ since, isVisited = true }) => isVisited && now - Date.parse(since) < SOON_MS);
  return isSoon ? LOOK_AGAIN_MS : LOOK_SELDOM_MS;
}

const busyRuns = (runs: readonly Run[], isVisited = true): UnderWay[] =>
  runs
    .filter(({ finished_at }) => finished_at === null)
    .map(({ created_at }) => ({ since: created_at, isVisited }));

const busySchedules = (schedules: readonly Schedule[]): UnderWay[] =>
  schedules
    .filter(({ last_status }) => isUnderWay(last_status))
    .map(({ last_run_at, created_at, breaker }) => ({
      since: last_run_at ?? created_at,
      isVisited: isSiteVisited(breaker),
    }));

/** Whether a site is visited now: it didn't block us lately. */
export function isSiteVisited(breaker: Schedule["breaker"]): boolean {
  return breaker === "CLOSED";
}

export const schedulesQuery = infiniteQueryOptions({
  queryKey: [...shopsKey, "schedules"],
  queryFn: ({ pageParam, signal }) =>
    api("get", "/v1/crawl/schedules", {
      query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
  refetchInterval: ({ state }) =>
    lookAgain(busySchedules(state.data?.pages.flatMap(({ items }) => items) ?? [])),
});

/** For choosing one. */
export const scheduleNamesQuery = queryOptions({
  queryKey: [...shopsKey, "schedule-names"],
  queryFn: async ({ signal }) =>
    (await api("get", "/v1/crawl/schedules", { query: { limit: MOST_SCHEDULES }, signal })).items,
});

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: [...shopsKey, "schedule", id],
    queryFn: ({ signal }) =>
      api("get", "/v1/crawl/schedules/{scheduler_id}", { path: { scheduler_id: id }, signal }),
    refetchInterval: ({ state }) => lookAgain(busySchedules(state.data === undefined ? [] : [state.data])),
  });

export interface Wanted {
  readonly cron: string;
  readonly timezone: string;
  readonly url: string;
}

/** Nothing is fetched from the shop for it. */
export const previewQuery = ({ cron, timezone, url }: Wanted) =>
  queryOptions({
    queryKey: [...shopsKey, "preview", cron, timezone, url],
    queryFn: ({ signal }) =>
      api("post", "/v1/crawl/preview", { body: { cron, timezone, url: url === "" ? null : url }, signal }),
    retry: false,
    placeholderData: keepPreviousData,
  });

/** `isVisited`: the site of the schedule didn't block us. */
export const runsQuery = (schedule: string | null, isVisited = true) =>
  infiniteQueryOptions({
    queryKey: [...shopsKey, "runs", schedule],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/crawl/runs", {
        query: {
          limit: RUNS,
          ...(schedule === null ? {} : { scheduler_id: schedule }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => lookAgain(busyRuns(state.data?.pages[0]?.items ?? [], isVisited)),
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...shopsKey, "run", id],
    queryFn: ({ signal }) => api("get", "/v1/crawl/runs/{run_id}", { path: { run_id: id }, signal }),
    refetchInterval: ({ state }) => lookAgain(busyRuns(state.data === undefined ? [] : [state.data])),
  });

export const tasksQuery = (run: Run, status: TaskStatus | null) =>
  infiniteQueryOptions({
    queryKey: [...shopsKey, "tasks", run.id, status],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/crawl/tasks", {
        query: {
          run_id: run.id,
          limit: PAGE_SIZE,
          ...(status === null ? {} : { status }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: () => lookAgain(busyRuns([run])),
  });

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: [...shopsKey, "task", id],
    queryFn: ({ signal }) => api("get", "/v1/crawl/tasks/{task_id}", { path: { task_id: id }, signal }),
  });

export const productsQuery = (filter: ProductFilter) =>
  infiniteQueryOptions({
    queryKey: [...shopsKey, "products", filter],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/crawl/products", {
        query: { ...filter, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: [...shopsKey, "product", id],
    queryFn: ({ signal }) =>
      api("get", "/v1/crawl/products/{product_id}", { path: { product_id: id }, signal }),
  });

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: [...shopsKey, "history", id],
    queryFn: async ({ signal }) =>
      (await api("get", "/v1/crawl/products/{product_id}/history", { path: { product_id: id }, signal }))
        .items,
  });

export const deadQuery = infiniteQueryOptions({
  queryKey: [...shopsKey, "dead"],
  queryFn: ({ pageParam, signal }) =>
    api("get", "/v1/crawl/dead", {
      query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

export const alertsQuery = queryOptions({
  queryKey: [...shopsKey, "alerts"],
  queryFn: ({ signal }) => api("get", "/v1/crawl/alerts", { signal }),
});

export const addSchedule = (body: NewSchedule) => api("post", "/v1/crawl/schedules", { body });
export const changeSchedule = (id: string, changes: Partial<Schemas["ScheduleChanges"]>) =>
  api("patch", "/v1/crawl/schedules/{scheduler_id}", {
    path: { scheduler_id: id },
    body: changes as Schemas["ScheduleChanges"],
  });
export const removeSchedule = (id: string) =>
  api("delete", "/v1/crawl/schedules/{scheduler_id}", { path: { scheduler_id: id } });
export const runSchedule = (id: string) =>
  api("post", "/v1/crawl/schedules/{scheduler_id}/run", { path: { scheduler_id: id } });
export const retryDead = (id: string) =>
  api("post", "/v1/crawl/dead/{dead_id}/retry", { path: { dead_id: id } });
export const discardDead = (id: string) =>
  api("delete", "/v1/crawl/dead/{dead_id}", { path: { dead_id: id } });
export const setAlerts = (body: Alerts) => api("put", "/v1/crawl/alerts", { body });
