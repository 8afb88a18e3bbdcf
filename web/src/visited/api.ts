/** A page in all of a person's sessions, over HTTP. */
import type { components } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type VisitedPage = Schemas["VisitedPage"];
export type LinkedPage = Schemas["LinkedPage"];
export type PageVisit = Schemas["VisitOfPage"];

export const visitedQuery = (id: string) =>
  queryOptions({
    queryKey: ["mine", "visited", id],
    queryFn: ({ signal }) => api("get", "/v1/visited/{url_id}", { path: { url_id: id }, signal }),
  });
