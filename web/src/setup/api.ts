/** Demo sessions, and where to get the extension, over HTTP. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

export const demoQuery = queryOptions({
  queryKey: ["mine", "demo"],
  queryFn: ({ signal }) => api("get", "/v1/demo", { signal }),
});
export const extensionQuery = queryOptions({
  queryKey: ["mine", "extension"],
  queryFn: ({ signal }) => api("get", "/v1/extension", { signal }),
  staleTime: Infinity,
});
export const loadDemo = () => api("post", "/v1/demo");
export const removeDemo = () => api("delete", "/v1/demo");
