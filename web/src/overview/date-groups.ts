/** Sessions grouped by how long ago they began, on the person's own calendar. */
import { addDays, dateOf, weekdayOf } from "../ui/time/calendar";

export const GROUPS = ["today", "yesterday", "week", "month", "older"] as const;
export type Group = (typeof GROUPS)[number];

/** Weeks begin on Monday. */
export function groupOf(date: string, today: string): Group {
  if (date >= today) return "today";
  if (date === addDays(today, -1)) return "yesterday";
  if (date >= addDays(today, -weekdayOf(today))) return "week";
  return date.slice(0, 7) === today.slice(0, 7) ? "month" : "older";
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
