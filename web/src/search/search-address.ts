/** The address of the search screen is its only state. */
import type { Kind, Wanted } from "./api";

export const KINDS = ["page", "highlight", "session", "bookmark"] as const satisfies readonly Kind[];
export const DAYS = [7, 30, 365] as const;

export function searchAddress({ q, kind, domain, days }: Wanted): string {
  const search = new URLSearchParams({ q });
  if (kind !== undefined) search.set("kind", kind);
  if (domain !== undefined) search.set("domain", domain);
  if (days !== undefined) search.set("days", String(days));
  return `/search?${search.toString()}`;
}

export function wantedOf(search: URLSearchParams): Wanted {
  const kind = KINDS.find((each) => each === search.get("kind"));
  const days = DAYS.find((each) => String(each) === search.get("days"));
  const domain = search.get("domain");
  return {
    q: search.get("q") ?? "",
    ...(kind && { kind }),
    ...(domain && { domain }),
    ...(days && { days }),
  };
}
