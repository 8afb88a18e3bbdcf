/** The server as this app sees it: one client, and the queries that the screens share. */
import { createApi } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { fetchEarly } from "./early";

export const api = createApi("", undefined, fetchEarly);

export type Readiness = "ready" | "databaseAway" | "serverAway";

const POLL_MS = 5_000;
const PATIENCE_MS = 4_000;

/** Never fails: a server that cannot be reached is one of the answers. */
export const readinessQuery = queryOptions({
  queryKey: ["readiness"],
  queryFn: ({ signal }) => askReadiness(signal),
  refetchInterval: POLL_MS,
});

export const aboutQuery = queryOptions({
  queryKey: ["about"],
  queryFn: ({ signal }) => api("get", "/v1/about", { signal }),
});

async function askReadiness(signal: AbortSignal): Promise<Readiness> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    return judge(await fetch("/readyz", { cache: "no-store", signal: patience }));
  } catch (error) {
    if (signal.aborted) throw error;
    return "serverAway";
  }
}

/** A proxy in front answers for a server that is gone, with 502 to 504 and a page of its own; ours always speaks JSON. */
export function judge(response: Response): Readiness {
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) return "serverAway";
  if (response.ok) return "ready";
  return response.status === 503 ? "databaseAway" : "serverAway";
}
