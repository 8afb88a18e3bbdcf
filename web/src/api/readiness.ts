/** Is the server ready, and which version is it? Asked without signing in. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";

export type Readiness = "ready" | "databaseDown" | "serverDown";

const POLL_MS = 5_000;
const TIMEOUT_MS = 4_000;

/** Never fails: an unreachable server is one of the answers. */
export const readinessQuery = queryOptions({
  queryKey: ["readiness"],
  queryFn: ({ signal }) => getReadiness(signal),
  refetchInterval: POLL_MS,
});

export const aboutQuery = queryOptions({
  queryKey: ["about"],
  queryFn: ({ signal }) => api("get", "/v1/about", { signal }),
});

async function getReadiness(signal: AbortSignal): Promise<Readiness> {
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    return readinessOf(await fetch("/readyz", { cache: "no-store", signal: timeout }));
  } catch (error) {
    if (signal.aborted) throw error;
    return "serverDown";
  }
}

/** When the server is down, a proxy in front of it answers 502 to 504 with a page of its own; the server itself always answers JSON. */
export function readinessOf(response: Response): Readiness {
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) return "serverDown";
  if (response.ok) return "ready";
  return response.status === 503 ? "databaseDown" : "serverDown";
}
