/** Days in somebody's time zone. */
const HOUR_MS = 3_600_000;
/** No day is longer: clocks are set back by an hour at most, and where a zone's offset changed by more, a day was skipped. */
const LONGEST_DAY_MS = 26 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date at `t`, such as `2026-11-17`. An unknown zone is taken for the browser's own. */
export function dayOf(t: number, timeZone: string | undefined): string {
  return formatOf(timeZone).format(t);
}

/** When the day of `t` ends: the first millisecond of another one, by binary search, whatever the zone's clocks do. */
export function endOfDay(t: number, timeZone: string | undefined): number {
  const day = dayOf(t, timeZone);
  let [before, after] = [t, t + LONGEST_DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, timeZone) === day) before = middle;
    else after = middle;
  }
  return after;
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const found = formats.get(timeZone ?? "");
  if (found !== undefined) return found;
  const made = createFormat(timeZone);
  formats.set(timeZone ?? "", made);
  return made;
}

function createFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const fields = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    return new Intl.DateTimeFormat("en-CA", { ...fields, ...(timeZone !== undefined && { timeZone }) });
  } catch {
    return new Intl.DateTimeFormat("en-CA", fields); // a zone that this browser doesn't know
  }
}
