/** The owner's routes. */
import type { components } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Depth = Schemas["Depth"];
export type Job = Schemas["Job"];
export type Capture = Schemas["CaptureHealth"];
export type System = Schemas["System"];
export type Throughput = Schemas["Throughput"];

const LOOK_MS = 5_000;
const MOST_DEAD = 50;

export const operationsKey = ["mine", "operations"] as const;

export const healthQuery = queryOptions({
  queryKey: [...operationsKey, "health"],
  queryFn: ({ signal }) => api("get", "/v1/admin/operations", { signal }),
  refetchInterval: LOOK_MS,
});

export const queuesQuery = queryOptions({
  queryKey: [...operationsKey, "queues"],
  queryFn: ({ signal }) => api("get", "/v1/queues", { signal }),
  refetchInterval: LOOK_MS,
});

export const deadQuery = queryOptions({
  queryKey: [...operationsKey, "dead"],
  queryFn: ({ signal }) => api("get", "/v1/jobs", { query: { status: "dead", limit: MOST_DEAD }, signal }),
  refetchInterval: LOOK_MS,
});

export const retryJob = (number: number) => api("post", "/v1/jobs/{number}/retry", { path: { number } });
export const retryFailedJobs = () => api("post", "/v1/jobs/retry", {});
export const discardJob = (number: number) => api("delete", "/v1/jobs/{number}", { path: { number } });
