/** Plans, usage and invoices over HTTP: one function per call that the screens make. */
import type { components } from "@mindhit/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type BillingState = Schemas["BillingState"];
export type Plan = Schemas["PlanItem"];
export type UsageDay = Schemas["UsageDay"];
export type Invoice = Schemas["InvoiceItem"];
export type Cost = Schemas["SessionCost"];

export const billingKey = ["mine", "billing"] as const;

export const stateQuery = queryOptions({
  queryKey: [...billingKey, "state"],
  queryFn: ({ signal }) => api("get", "/v1/billing", { signal }),
});

export const plansQuery = queryOptions({
  queryKey: [...billingKey, "plans"],
  queryFn: ({ signal }) => api("get", "/v1/plans", { signal }),
});

/** Of the current period. */
export const daysQuery = queryOptions({
  queryKey: [...billingKey, "days"],
  queryFn: async ({ signal }) => (await api("get", "/v1/billing/usage", { signal })).days,
});

export const invoicesQuery = infiniteQueryOptions({
  queryKey: [...billingKey, "invoices"],
  queryFn: ({ pageParam, signal }) =>
    api("get", "/v1/billing/invoices", {
      query: { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

/** What making these parts of a session again would cost. */
export const costQuery = (session: string, again: readonly ("map" | "summaries")[]) =>
  queryOptions({
    queryKey: [...billingKey, "cost", session, ...again],
    queryFn: ({ signal }) =>
      api("get", "/v1/sessions/{session_id}/cost", {
        path: { session_id: session },
        query: { again: [...again] },
        signal,
      }),
    staleTime: 0,
  });

export const checkOut = (plan: string) => api("post", "/v1/billing/checkout", { body: { plan_id: plan } });
export const openPortal = () => api("post", "/v1/billing/portal");
