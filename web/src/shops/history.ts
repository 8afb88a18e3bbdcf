/** What the history of a product says, ready to be drawn: steps of prices, and when something was in stock. Pure. */
import type { Change } from "./api";

export interface Step {
  readonly at: number;
  readonly price: number;
}

export interface Period {
  readonly from: number;
  readonly to: number;
  readonly isInStock: boolean;
}

/** The prices of an option in one currency, oldest first; a price holds until the next. */
export function stepsOf(changes: readonly Change[], option: string, currency: string | null): Step[] {
  const steps: Step[] = [];
  for (const { option_id, at, price, currency: said } of changes) {
    if (option_id !== option || price === null || said !== currency) continue;
    const step = { at: Date.parse(at), price: Number(price) };
    if (steps.at(-1)?.price !== step.price) steps.push(step);
  }
  return steps;
}

/** When an option could be bought and when not, until it was last listed (`end`). Times of which nothing is known are left out. */
export function stockOf(changes: readonly Change[], option: string, end: number): Period[] {
  const periods: Period[] = [];
  for (const change of changes) {
    const from = Date.parse(change.at);
    if (change.option_id !== option || change.availability === null || from >= end) continue;
    const isInStock = change.availability === "InStock";
    const last = periods.at(-1);
    if (last?.isInStock === isInStock) continue;
    if (last) periods[periods.length - 1] = { ...last, to: from };
    periods.push({ from, to: end, isInStock });
  }
  return periods;
}

/** Until when an option was listed: nothing is known of its price and stock after that. */
export function endOf(option: { gone_at: string | null }, product: { gone_at: string | null }, now: number) {
  const gone = option.gone_at ?? product.gone_at;
  return gone === null ? now : Math.min(Date.parse(gone), now);
}

/** How much a price changed, in percent of what it was. */
export function percentOf(from: number, to: number): number | null {
  return from === 0 ? null : ((to - from) / from) * 100;
}
