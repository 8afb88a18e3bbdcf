/** What models used, ready to be drawn: a bar for each day of a period, in pieces by operation. Pure. */
import { addDays } from "../ui/time/calendar";
import type { UsageDay } from "./api";

export interface Piece {
  readonly operation: string;
  readonly tokens: number;
}

export interface Bar {
  readonly date: string;
  readonly tokens: number;
  readonly pieces: readonly Piece[];
}

/** Every day from the first to the last, also those on which nothing was used. The largest operation of all comes first. */
export function barsOf(days: readonly UsageDay[], first: string, last: string): Bar[] {
  const order = totalsOf(days).map(({ operation }) => operation);
  const bars: Bar[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const of = days.filter((day) => day.date === date);
    const pieces = order
      .map((operation) => ({ operation, tokens: sum(of.filter((day) => day.operation === operation)) }))
      .filter(({ tokens }) => tokens > 0);
    bars.push({ date, tokens: sum(of), pieces });
  }
  return bars;
}

/** By operation, the largest first. */
export function totalsOf(days: readonly UsageDay[]): readonly (Piece & { readonly calls: number })[] {
  const names = [...new Set(days.map(({ operation }) => operation))];
  return names
    .map((operation) => {
      const of = days.filter((day) => day.operation === operation);
      return { operation, tokens: sum(of), calls: of.reduce((all, { calls }) => all + calls, 0) };
    })
    .sort((one, other) => other.tokens - one.tokens);
}

/** A round number that no bar is higher than. */
export function topOf(most: number): number {
  if (most <= 10) return 10;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 5, 10].find((each) => each * power >= most) ?? 10);
}

function sum(days: readonly UsageDay[]): number {
  return days.reduce((all, { tokens }) => all + tokens, 0);
}
