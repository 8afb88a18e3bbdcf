/** Sessions by how long ago their day was, on the reader's own calendar. */

export const GROUPS = ["today", "yesterday", "week", "month", "older"] as const;
export type Group = (typeof GROUPS)[number];

/** The date of a moment in a time zone, as 2026-11-16. */
export function dateOf(at: Date | string, zone: string | undefined): string {
  return formatterOf(zone).format(new Date(at));
}

/** When a date begins in a time zone, however many hours the day before had. */
export function midnightOf(date: string, zone: string | undefined): string {
  const there = Date.parse(`${date}T00:00:00Z`);
  // The zone may change its offset at this very midnight: then it is the one that the date has already.
  const begins = [there - DAY, there + DAY]
    .map((near) => new Date(there - offsetOf(near, zone)))
    .sort((one, other) => one.getTime() - other.getTime());
  return (begins.find((at) => dateOf(at, zone) === date) ?? begins[0] ?? new Date(there)).toISOString();
}

/** How many milliseconds the clocks of a zone are ahead of UTC at a moment. */
export function offsetOf(at: number, zone: string | undefined): number {
  const wall = clockOf(zone).format(at).replace(", ", "T");
  return Date.parse(`${wall}Z`) - Math.floor(at / 1_000) * 1_000;
}

/** By the calendar, whose weeks begin on Monday. */
export function groupOf(date: string, today: string): Group {
  if (date >= today) return "today";
  if (date === addDays(today, -1)) return "yesterday";
  if (date >= addDays(today, -weekdayOf(today))) return "week";
  return date.slice(0, 7) === today.slice(0, 7) ? "month" : "older";
}

/** The picture and the filters look back so many days: a calendar's week would be empty on a Monday morning. */
export const DAYS = { week: 7, month: 30 } as const;

/** The first of the days that end with this one. */
export function firstOf(span: keyof typeof DAYS, last: string): string {
  return addDays(last, 1 - DAYS[span]);
}

export function grouped<S extends { readonly started_at: string }>(
  sessions: readonly S[],
  today: string,
  zone: string | undefined,
): readonly { readonly group: Group; readonly sessions: readonly S[] }[] {
  const found = new Map<Group, S[]>();
  for (const session of sessions) {
    const group = groupOf(dateOf(session.started_at, zone), today);
    const inside = found.get(group);
    if (inside) inside.push(session);
    else found.set(group, [session]);
  }
  return GROUPS.flatMap((group) => {
    const inside = found.get(group);
    return inside ? [{ group, sessions: inside }] : [];
  });
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

/** Making one takes longer than using it a hundred times. */
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
