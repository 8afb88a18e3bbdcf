/** Who is signed in. All that belongs to the person is cached under `mine`, and forgotten when they go. */
import { Problem } from "@mindhit/client";
import { infiniteQueryOptions, queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { kindOf } from "../problems/explain";
import { getAuth, getDevices, getEvents, getMails, getMe, getPeople, type Me } from "./api";

const AWAY_MS = 5_000;

/** Null where nobody is signed in; fails only when the server does not say. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await getMe(signal);
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: 30_000,
  refetchInterval: (query) => (query.state.status === "error" ? AWAY_MS : false),
});

export const authQuery = queryOptions({
  queryKey: ["auth"],
  queryFn: ({ signal }) => getAuth(signal),
  refetchInterval: (query) => (query.state.status === "error" ? AWAY_MS : false),
});

/** The first devices: enough to see whether an extension is among them. */
export const devicesQuery = queryOptions({
  queryKey: ["mine", "devices"],
  queryFn: ({ signal }) => getDevices(null, signal),
});

export const deviceListQuery = paged([...devicesQuery.queryKey, "list"], getDevices);
export const peopleQuery = paged(["mine", "people"], getPeople);
export const mailsQuery = paged(["mine", "mails"], getMails);
export const eventsQuery = paged(["mine", "events"], getEvents);

/** A list of any length, page by page. */
function paged<T>(
  queryKey: readonly string[],
  get: (
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly T[]; readonly next_cursor: string | null }>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => get(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

/** A wrong password is answered with 401 too, but says nothing about who is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Problem && error.status === 401 && kindOf(error) !== "wrong-credentials";
}

/** From now on this is the person, or nobody is. */
export function become(queries: QueryClient, me: Me | null): void {
  queries.removeQueries({ queryKey: ["mine"] });
  queries.setQueryData(meQuery.queryKey, me);
}

export const MeContext = createContext<Me | null>(null);

/** The person of a screen that is only shown to people who are signed in. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === null) throw new Error("this screen is for people who are signed in");
  return me;
}

/** Keeps what the server answered, so that the whole app goes by it at once. */
export function useUpdateMe(): (change: Partial<Me>) => void {
  const queries = useQueryClient();
  return (change) => {
    queries.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, ...change } : me));
  };
}
