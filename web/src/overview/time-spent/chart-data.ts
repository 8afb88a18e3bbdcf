/** What the pictures of time are made of. Pure: days in, lengths and paths out. */
import type { Day } from "../../session/api";
import { roundParts } from "../../ui/time/adding-up";
import { MINUTE } from "../../ui/time/durations";

/** So many are told apart by their colours, and the list of sessions below is still on the first screen. */
const MOST_NAMED = 8;

export interface Part {
  /** Null: all the others together. */
  readonly domain: string | null;
  readonly ms: number;
  /** Rounded so that all parts of the chart add up (`ui/time/adding-up.ts`). */
  readonly minutes: number;
}

export interface Shares {
  readonly total: number;
  readonly busyDays: number;
  /** The busiest sites, then the others: what has a name and a colour, here and in every day. */
  readonly parts: readonly Part[];
  readonly days: readonly {
    readonly date: string;
    readonly total: number;
    readonly minutes: number;
    /** In the same order, without what the day has nothing of. */
    readonly parts: readonly Part[];
  }[];
}

export function sharesOf(days: readonly Day[]): Shares {
  const sums = new Map<string, number>();
  for (const { domains } of days)
    for (const { domain, focused_ms } of domains) sums.set(domain, (sums.get(domain) ?? 0) + focused_ms);
  const named = [...sums]
    .sort((one, other) => other[1] - one[1])
    .slice(0, MOST_NAMED)
    .map(([domain]) => domain);
  const names = [...named, null];
  const cells = days.map((day) =>
    withOthers(
      named.map((domain) => msOf(domain, day)),
      day.focused_ms,
    ),
  );
  const columnMs = names.map((_, column) => cells.reduce((sum, row) => sum + (row[column] ?? 0), 0));
  const minutes = roundParts(
    days.map((day) => day.focused_ms),
    MINUTE,
  );
  return {
    total: days.reduce((sum, day) => sum + day.focused_ms, 0),
    busyDays: days.filter((day) => day.focused_ms > 0).length,
    parts: partsOf(names, columnMs, roundParts(columnMs, MINUTE)),
    days: days.map((day, n) => ({
      date: day.date,
      total: day.focused_ms,
      minutes: minutes[n] ?? 0,
      parts: partsOf(names, cells[n] ?? [], roundParts(cells[n] ?? [], MINUTE, minutes[n])),
    })),
  };
}

function msOf(domain: string, day: Day): number {
  return day.domains.find((each) => each.domain === domain)?.focused_ms ?? 0;
}

function withOthers(parts: readonly number[], total: number): readonly number[] {
  return [...parts, Math.max(0, total - parts.reduce((sum, ms) => sum + ms, 0))];
}

function partsOf(
  names: readonly (string | null)[],
  times: readonly number[],
  minutes: readonly number[],
): readonly Part[] {
  return names
    .map((domain, n) => ({ domain, ms: times[n] ?? 0, minutes: minutes[n] ?? 0 }))
    .filter(({ ms }) => ms > 0);
}

const STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * MINUTE);

/** Lines of the week's picture: four at most, at round times, the last of them above everything. */
export function linesOf(most: number): readonly number[] {
  const step = STEPS.find((each) => most / each <= 4) ?? 480 * MINUTE;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count }, (_, line) => (line + 1) * step);
}

const HOUR = 60 * MINUTE;

/** The label of a grid line: minutes up to an hour, else hours, such as 1.5. */
export function lineUnit(line: number, top: number): { readonly unit: "min" | "h"; readonly n: number } {
  return line < HOUR && top <= HOUR ? { unit: "min", n: line / MINUTE } : { unit: "h", n: line / HOUR };
}

/** How wide a label is at the most, in pixels of a 16-pixel root font: Hangul is twice as wide as digits. */
export function labelWidth(text: string): number {
  return Array.from(text).reduce((width, letter) => width + (/[\u1100-\uffff]/.test(letter) ? 12.5 : 7.5), 0);
}

/** Pieces of a ring, as paths around 0, 0; small gaps between them. */
export function ringOf(
  parts: readonly Part[],
  outer: number,
  inner: number,
): readonly (Part & { path: string })[] {
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  let turned = 0;
  return parts.map((part) => {
    const share = part.ms / total;
    const from = turned;
    turned += share;
    return { ...part, path: share > 0.9999 ? whole(outer, inner) : piece(from, turned, outer, inner) };
  });
}

function whole(outer: number, inner: number): string {
  const circle = (radius: number, sweep: 0 | 1) =>
    `M0 ${-radius}A${radius} ${radius} 0 1 ${sweep} 0 ${radius}A${radius} ${radius} 0 1 ${sweep} 0 ${-radius}`;
  return `${circle(outer, 1)}${circle(inner, 0)}Z`;
}

function piece(from: number, to: number, outer: number, inner: number): string {
  const isLarge = to - from > 0.5 ? 1 : 0;
  const at = (share: number, radius: number) => {
    const angle = share * 2 * Math.PI;
    return `${round(Math.sin(angle) * radius)} ${round(-Math.cos(angle) * radius)}`;
  };
  return [
    `M${at(from, outer)}`,
    `A${outer} ${outer} 0 ${isLarge} 1 ${at(to, outer)}`,
    `L${at(to, inner)}`,
    `A${inner} ${inner} 0 ${isLarge} 0 ${at(from, inner)}Z`,
  ].join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
