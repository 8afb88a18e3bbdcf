/** What the overview shows, kept in the address, so that a search can be bookmarked and the back button works. */
import { LONGEST_SEARCH } from "@mindhit/client";
import { useMemo } from "react";
import { useMe } from "../account/me";
import { navigate, useLocation } from "../app/router";
import { STATUSES, type SessionFilter } from "../session/api";
import { addDays, dateOf, midnightOf } from "../ui/time/calendar";
import { DAYS, type Span } from "./time-range";

export const WHENS = { any: 0, last7: DAYS.week, last30: DAYS.month } as const;
export type When = keyof typeof WHENS;

export interface FilterParams {
  readonly words: string;
  readonly status: string;
  readonly when: When;
  readonly domain: string;
  /** Only this day, as 2026-11-16. */
  readonly day: string;
  /** Of the chart: a week, a month or a year, and its last day; none is today. */
  readonly view: Span;
  readonly at: string;
}

/** Each choice is a step of the back button; typed letters (`isTyped`) are one step together. */
export type ChangeParams = (some: Partial<FilterParams>, isTyped?: boolean) => void;

const NOTHING = { words: "", status: "", when: "any", domain: "", day: "" } as const;

export function paramsOf(search: URLSearchParams): FilterParams {
  const when = search.get("when") ?? "";
  const view = search.get("view") ?? "";
  return {
    words: (search.get("q") ?? "").slice(0, LONGEST_SEARCH),
    status: STATUSES.find((status) => status === search.get("status")) ?? "",
    when: Object.hasOwn(WHENS, when) ? (when as When) : "any",
    domain: (search.get("domain") ?? "").slice(0, LONGEST_SEARCH),
    day: dateIn(search.get("day")),
    view: Object.hasOwn(DAYS, view) ? (view as Span) : "week",
    at: dateIn(search.get("at")),
  };
}

export function addressOf(params: FilterParams): string {
  const pairs = Object.entries({
    q: params.words.trim(),
    status: params.status,
    when: params.when === "any" ? "" : params.when,
    domain: params.domain,
    day: params.day,
    view: params.view === "week" ? "" : params.view,
    at: params.at,
  }).filter(([, value]) => value !== "");
  return pairs.length === 0 ? "/" : `/?${new URLSearchParams(pairs).toString()}`;
}

function dateIn(text: string | null): string {
  const isDate = text !== null && /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate ? text : "";
}

export function filterOf(params: FilterParams, today: string, zone: string | undefined): SessionFilter {
  const status = STATUSES.find((each) => each === params.status);
  return {
    ...(params.words.trim() === "" ? {} : { search: params.words.trim() }),
    ...(status ? { status } : {}),
    ...(params.domain === "" ? {} : { domain: params.domain }),
    ...periodOf(params, today, zone),
  };
}

/** Days of the person's calendar, from midnight in their time zone. */
function periodOf(
  { day, when }: FilterParams,
  today: string,
  zone: string | undefined,
): Pick<SessionFilter, "from" | "to"> {
  if (day !== "") return { from: midnightOf(day, zone), to: midnightOf(addDays(day, 1), zone) };
  const days = WHENS[when];
  return days === 0 ? {} : { from: midnightOf(addDays(today, 1 - days), zone) };
}

export function useFilterParams(): {
  readonly params: FilterParams;
  readonly filter: SessionFilter;
  readonly isFiltered: boolean;
  readonly change: ChangeParams;
  readonly clear: () => void;
} {
  const { search } = useLocation();
  const { settings } = useMe();
  const text = search.toString();
  const params = useMemo(() => paramsOf(new URLSearchParams(text)), [text]);
  const today = dateOf(new Date(), settings.timezone);
  const filter = useMemo(
    () => filterOf(params, today, settings.timezone),
    [params, today, settings.timezone],
  );
  const change: ChangeParams = (some, isTyped = false) => {
    const now = paramsOf(new URLSearchParams(location.search));
    const address = addressOf({ ...now, ...some });
    const isSame = address === addressOf(now);
    navigate(address, { replace: isTyped || isSame, keepsPlace: true });
  };
  return {
    params,
    filter,
    isFiltered: Object.keys(filter).length > 0,
    change,
    clear: () => {
      change(NOTHING);
    },
  };
}
