/** What the pictures of time are made of. Pure: days in, lengths and paths out. */
import type { Day } from "../../session/api";

/** Each has a colour of its own: `hues.ts` has twelve. */
const MOST_NAMED = 10;

export interface Part {
  /** Null: all the others together. */
  readonly domain: string | null;
  readonly ms: number;
}

export interface Shares {
  readonly total: number;
  readonly busyDays: number;
  /** The busiest sites, then the others: what has a name and a colour, here and in every day. */
  readonly parts: readonly Part[];
  readonly days: readonly {
    readonly date: string;
    readonly total: number;
    /** In the same order, without what the day has nothing of. */
    readonly parts: readonly Part[];
  }[];
}

export function sharesOf(days: readonly Day[]): Shares {
  const sums = new Map<string, number>();
  for (const { domains } of days)
    for (const { domain, focused_ms } of domains) sums.set(domain, (sums.get(domain) ?? 0) + focused_ms);
  const named = [...sums].sort((one, other) => other[1] - one[1]).slice(0, MOST_NAMED);
  const total = days.reduce((sum, day) => sum + day.focused_ms, 0);
  return {
    total,
    busyDays: days.filter((day) => day.focused_ms > 0).length,
    parts: withOthers(
      named.map(([domain, ms]) => ({ domain, ms })),
      total,
    ),
    days: days.map((day) => ({
      date: day.date,
      total: day.focused_ms,
      parts: withOthers(
        named.map(([domain]) => ({ domain, ms: msOf(domain, day) })).filter(({ ms }) => ms > 0),
        day.focused_ms,
      ),
    })),
  };
}

function msOf(domain: string, day: Day): number {
  return day.domains.find((each) => each.domain === domain)?.focused_ms ?? 0;
}

function withOthers(parts: readonly Part[], total: number): readonly Part[] {
  const others = total - parts.reduce((sum, { ms }) => sum + ms, 0);
  return others > 0 ? [...parts, { domain: null, ms: others }] : parts;
}

const MINUTE = 60_000;
const STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * MINUTE);

/** Lines of the week's picture: four at most, at round times, the last of them above everything. */
export function linesOf(most: number): readonly number[] {
  const step = STEPS.find((each) => most / each <= 4) ?? 480 * MINUTE;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count }, (_, line) => (line + 1) * step);
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
