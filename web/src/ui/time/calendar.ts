/** Calendar dates (2026-11-16) in a person's time zone. Pure. */

/** The date of a moment in a time zone, as 2026-11-16. */
export function dateOf(at: Date | string, zone: string | undefined): string {
  return formatterOf(zone).format(new Date(at));
}

/** The moment at which a date begins in a time zone, daylight saving included. */
export function midnightOf(date: string, zone: string | undefined): string {
  const there = Date.parse(`${date}T00:00:00Z`);
  // Where the offset changes at this very midnight, the one that already yields this date is right.
  const begins = [there - DAY, there + DAY]
    .map((near) => new Date(there - offsetOf(near, zone)))
    .sort((one, other) => one.getTime() - other.getTime());
  return (begins.find((at) => dateOf(at, zone) === date) ?? begins[0] ?? new Date(there)).toISOString();
}

/** How many milliseconds a zone is ahead of UTC at a moment. */
export function offsetOf(at: number, zone: string | undefined): number {
  const wall = clockOf(zone).format(at).replace(", ", "T");
  return Date.parse(`${wall}Z`) - Math.floor(at / 1_000) * 1_000;
}

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** 0 is Monday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

const DAY = 86_400_000;
const DATE = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
const CLOCK = { ...DATE, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const formatterOf = keptFormatter(DATE);
const clockOf = keptFormatter(CLOCK);

/** Creating a formatter takes longer than using it a hundred times, so each is kept. */
function keptFormatter(parts: Intl.DateTimeFormatOptions): (zone: string | undefined) => Intl.DateTimeFormat {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    const known = formatters.get(zone ?? "");
    if (known) return known;
    let made: Intl.DateTimeFormat;
    try {
      made = new Intl.DateTimeFormat("en-CA", { ...parts, timeZone: zone });
    } catch {
      made = new Intl.DateTimeFormat("en-CA", parts);
    }
    formatters.set(zone ?? "", made);
    return made;
  };
}
