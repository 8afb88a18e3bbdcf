/** Highlights over HTTP: of all sessions, and the notes on them. */
import type { components } from "@mindhit/client";
import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Highlight = Schemas["ListedHighlight"];

const PAGE_SIZE = 50;

const highlightsKey = ["mine", "highlights"] as const;

export const highlightsQuery = infiniteQueryOptions({
  queryKey: highlightsKey,
  queryFn: ({ pageParam, signal }) =>
    api("get", "/v1/highlights", {
      query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

/** An empty note is none. Everything that shows it is loaded again first, so that no screen goes back to the old one. */
export async function writeNote(id: string, note: string, queries: QueryClient): Promise<Highlight> {
  const changed = await api("patch", "/v1/highlights/{highlight_id}", {
    path: { highlight_id: id },
    body: { note: note.trim() },
    keepalive: true,
  });
  await Promise.all([
    queries.invalidateQueries({ queryKey: highlightsKey }),
    queries.invalidateQueries({ queryKey: ["mine", "visited"] }),
    queries.invalidateQueries({ queryKey: ["mine", "sessions", "one", changed.session_id] }),
  ]);
  return changed;
}
