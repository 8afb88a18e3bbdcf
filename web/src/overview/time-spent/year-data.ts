/** A year of days as the columns of a heat map. Pure. */
import { addDays, weekdayOf } from "../../ui/time/calendar";

export interface HeatDay {
  readonly date: string;
  readonly ms: number;
  /** 0: nothing; 1 to 4: the quarter of the days with something that it belongs to. */
  readonly level: number;
  readonly column: number;
  /** The weekday; 0 is Monday. */
  readonly row: number;
}

export const LEVELS = [0, 1, 2, 3, 4] as const;

/**
 * By quarters and not by shares of the longest day: one day of fourteen hours would make all others look the same.
 */
export function heatOf(
  first: string,
  count: number,
  days: readonly { readonly date: string; readonly focused_ms: number }[],
): readonly HeatDay[] {
  const byDate = new Map(days.map(({ date, focused_ms }) => [date, focused_ms]));
  const busy = [...byDate.values()].filter((ms) => ms > 0).sort((one, other) => one - other);
  const edges = [0.25, 0.5, 0.75].map((share) => busy[Math.floor(share * busy.length)] ?? 0);
  const offset = weekdayOf(first);
  return Array.from({ length: count }, (_, n) => {
    const date = addDays(first, n);
    const ms = byDate.get(date) ?? 0;
    const level = ms === 0 ? 0 : 1 + edges.filter((edge) => ms >= edge).length;
    return { date, ms, level, column: Math.floor((offset + n) / 7), row: (offset + n) % 7 };
  });
}

/** The columns in which a month begins, as far apart as their names need. */
export function monthsOf(
  days: readonly HeatDay[],
): readonly { readonly date: string; readonly column: number }[] {
  const begins = days.filter(({ date }, n) => n === 0 || date.endsWith("-01"));
  return begins.filter(({ column }, n) => {
    const next = begins[n + 1];
    return n > 0 || next === undefined || next.column - column > 2;
  });
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 };

/** The day that a key leads to from another; none if it is no key for this. */
export function dayByKey(days: readonly HeatDay[], from: string, key: string): string | null {
  if (key === "Home") return days[0]?.date ?? null;
  if (key === "End") return days.at(-1)?.date ?? null;
  const step = STEPS[key];
  if (step === undefined) return null;
  const at = days.findIndex(({ date }) => date === from);
  return days[at + step]?.date ?? from;
}
