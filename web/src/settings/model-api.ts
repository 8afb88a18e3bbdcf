/** A person's own model provider over HTTP. Its key goes in and never comes out. */
import type { components } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type ProviderState = Schemas["ProviderState"];
export type OwnProvider = Schemas["ChosenProvider"];
export type ProviderKind = OwnProvider["provider"];

export const providerQuery = queryOptions({
  queryKey: ["mine", "provider"],
  queryFn: ({ signal }) => api("get", "/v1/me/provider", { signal }),
});
export const usageQuery = queryOptions({
  queryKey: ["mine", "usage"],
  queryFn: ({ signal }) => api("get", "/v1/me/usage", { signal }),
});
export const chooseProvider = (body: Schemas["ProviderChoice"]) => api("put", "/v1/me/provider", { body });
export const removeProvider = () => api("delete", "/v1/me/provider");
/** One tiny call; it may take half a minute. */
export const testProvider = () => api("post", "/v1/me/provider/test");
