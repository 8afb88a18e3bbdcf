/** How far the charts and the filters look back. */
import { addDays } from "../ui/time/calendar";

/** The last 7, 30 or 365 days, not a calendar week, month or year, which would be empty on its first morning. */
export const DAYS = { week: 7, month: 30, year: 365 } as const;
export type Span = keyof typeof DAYS;

/** The first day of the range that ends with `last`. */
export function firstOf(span: Span, last: string): string {
  return addDays(last, 1 - DAYS[span]);
}
