/** Exports of everything, over HTTP. */
import type { components } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

export type Export = components["schemas"]["Export"];

const POLL_MS = 1_000;

/** The one that is being made or kept, or null; asked for again while it is being made. */
export const exportQuery = queryOptions({
  queryKey: ["mine", "export"],
  queryFn: async ({ signal }): Promise<Export | null> =>
    (await api("get", "/v1/me/exports", { signal })).exports[0] ?? null,
  refetchInterval: ({ state }) =>
    state.data?.status === "queued" || state.data?.status === "running" ? POLL_MS : false,
});

/** In place of one that is ready. */
export const startExport = () => api("post", "/v1/me/exports", { query: { new: true } });
