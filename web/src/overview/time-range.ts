/** How far the charts and the filters look back. */
import { addDays } from "../ui/time/calendar";

/** The last 7 or 30 days, not a calendar week or month, which would be empty on its first morning. */
export const DAYS = { week: 7, month: 30 } as const;

/** The first day of the range that ends with `last`. */
export function firstOf(span: keyof typeof DAYS, last: string): string {
  return addDays(last, 1 - DAYS[span]);
}
