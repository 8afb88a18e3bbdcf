/** Forgetting over HTTP: what would go, and letting it go. */
import type { components } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Forgotten = Schemas["ForgetResult"];

/** What is forgotten, as the route names it. */
export type What =
  | { readonly last: "1h" }
  | { readonly day: string }
  | { readonly domain: string }
  | { readonly url: string }
  | { readonly session_id: string; readonly visit_id: string };

export const previewQuery = (what: What) =>
  queryOptions({
    queryKey: ["forget", what], // not of "mine", which is asked for again after forgetting
    queryFn: ({ signal }) => api("post", "/v1/forget", { body: { ...what, dry_run: true }, signal }),
    gcTime: 0, // it names what is about to be forgotten
    staleTime: 0,
  });

export const forget = (what: What) => api("post", "/v1/forget", { body: { ...what, dry_run: false } });
