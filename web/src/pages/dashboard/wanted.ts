/** Which sessions are listed: kept in the address, so that a search can be sent to oneself and the back button works. */
import { useMemo } from "react";
import { useMe } from "../../account/me";
import { navigate, useLocation } from "../../router";
import { STATUSES, type Wanted } from "../../sessions/api";
import { addDays, dateOf, DAYS, midnightOf } from "../../sessions/groups";

export const WHENS = { any: 0, last7: DAYS.week, last30: DAYS.month } as const;
export type When = keyof typeof WHENS;

export interface Asked {
  readonly words: string;
  readonly status: string;
  readonly when: When;
  readonly domain: string;
  /** Only this one, as 2026-11-16. */
  readonly day: string;
  /** Of the picture: which stretch, and a day in it; none is now. */
  readonly view: "week" | "month";
  readonly at: string;
}

/** What is chosen can be gone back from; what is typed, letter by letter, is one place (`isTyped`). */
export type Ask = (change: Partial<Asked>, isTyped?: boolean) => void;

const NOTHING = { words: "", status: "", when: "any", domain: "", day: "" } as const;

export function askedOf(search: URLSearchParams): Asked {
  const when = search.get("when") ?? "";
  return {
    words: (search.get("q") ?? "").slice(0, 200),
    status: STATUSES.find((status) => status === search.get("status")) ?? "",
    when: Object.hasOwn(WHENS, when) ? (when as When) : "any",
    domain: (search.get("domain") ?? "").slice(0, 200),
    day: dateIn(search.get("day")),
    view: search.get("view") === "month" ? "month" : "week",
    at: dateIn(search.get("at")),
  };
}

export function addressOf(asked: Asked): string {
  const pairs = Object.entries({
    q: asked.words.trim(),
    status: asked.status,
    when: asked.when === "any" ? "" : asked.when,
    domain: asked.domain,
    day: asked.day,
    view: asked.view === "week" ? "" : asked.view,
    at: asked.at,
  }).filter(([, value]) => value !== "");
  return pairs.length === 0 ? "/" : `/?${new URLSearchParams(pairs).toString()}`;
}

function dateIn(text: string | null): string {
  const isDate = text !== null && /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate ? text : "";
}

export function wantedOf(asked: Asked, today: string, zone: string | undefined): Wanted {
  const status = STATUSES.find((each) => each === asked.status);
  return {
    ...(asked.words.trim() === "" ? {} : { search: asked.words.trim() }),
    ...(status ? { status } : {}),
    ...(asked.domain === "" ? {} : { domain: asked.domain }),
    ...stretchOf(asked, today, zone),
  };
}

/** Days are those of the reader's calendar, and begin at the midnight of their zone. */
function stretchOf(
  { day, when }: Asked,
  today: string,
  zone: string | undefined,
): Pick<Wanted, "from" | "to"> {
  if (day !== "") return { from: midnightOf(day, zone), to: midnightOf(addDays(day, 1), zone) };
  const days = WHENS[when];
  return days === 0 ? {} : { from: midnightOf(addDays(today, 1 - days), zone) };
}

export function useAsked(): {
  readonly asked: Asked;
  readonly wanted: Wanted;
  readonly isFiltered: boolean;
  readonly ask: Ask;
  readonly clear: () => void;
} {
  const { search } = useLocation();
  const { settings } = useMe();
  const text = search.toString();
  const asked = useMemo(() => askedOf(new URLSearchParams(text)), [text]);
  const today = dateOf(new Date(), settings.timezone);
  const wanted = useMemo(() => wantedOf(asked, today, settings.timezone), [asked, today, settings.timezone]);
  const ask: Ask = (change, isTyped = false) => {
    const now = askedOf(new URLSearchParams(location.search));
    const address = addressOf({ ...now, ...change });
    const isSame = address === addressOf(now);
    navigate(address, { replace: isTyped || isSame, keepsPlace: true });
  };
  return {
    asked,
    wanted,
    isFiltered: Object.keys(wanted).length > 0,
    ask,
    clear: () => {
      ask(NOTHING);
    },
  };
}
