/** Several sessions as one timeline. Pure. */
import type { Detail, Visit } from "../session/api";
import { keyOf, timelineOf, type Item, type Period, type SessionTimeline } from "../session/timeline/periods";

export interface Merged {
  /** Oldest first. */
  readonly sessions: readonly Detail[];
  readonly visits: readonly Visit[];
  readonly timeline: SessionTimeline;
  /** Each session's own: days between two of them would leave a strip of all with slivers. */
  readonly timelines: readonly SessionTimeline[];
  /** Only what was in focus. */
  readonly focusedMs: number;
  readonly pages: number;
}

/**
 * In order of time, also where sessions of two browsers overlap; a row with the session's name stands wherever another
 * one goes on. Events that are missing stay behind what they follow in their own session.
 */
export function mergedOf(details: readonly Detail[]): Merged {
  const sessions = [...details].sort(
    (one, other) => Date.parse(one.session.started_at) - Date.parse(other.session.started_at),
  );
  const timelines = sessions.map(timelineOf);
  const rows = timelines
    .flatMap(({ items, from }, n) =>
      placed(items, from).map(({ at, item }, index) => ({ at, item, n, index })),
    )
    .sort((one, other) => one.at - other.at || one.n - other.n || one.index - other.index);
  const items: Item[] = [];
  rows.forEach(({ item, n }, index) => {
    const detail = sessions[n];
    if (detail && rows[index - 1]?.n !== n)
      items.push({ is: "session", key: `session ${n} ${index}`, session: detail.session });
    items.push({ ...item, key: keyIn(item, n) });
  });
  // Numbered on: `visit_order` counts from 1 in every session.
  const visits = sessions
    .flatMap(({ page_visits }) => page_visits)
    .sort((one, other) => Date.parse(one.entered_at) - Date.parse(other.entered_at))
    .map((visit, n) => ({ ...visit, visit_order: n + 1 }));
  return {
    sessions,
    visits,
    timelines,
    timeline: {
      items,
      periods: timelines.flatMap(({ periods }) => periods).sort((one, other) => one.from - other.from),
      folded: timelines.reduce((sum, { folded }) => sum + folded, 0),
      from: Math.min(...timelines.map(({ from }) => from)),
      to: Math.max(...timelines.map(({ to }) => to)),
      longest: Math.max(1, ...timelines.map(({ longest }) => longest)),
    },
    focusedMs: visits.reduce((sum, { is_focused, duration_ms }) => sum + (is_focused ? duration_ms : 0), 0),
    pages: new Set(visits.map(({ url_id }) => url_id)).size,
  };
}

/** Which of the sessions has this period. */
export function sessionOf(period: Period, { timelines }: Merged): number {
  const key = keyOf(period);
  return timelines.findIndex(({ periods }) => periods.some((each) => keyOf(each) === key));
}

/** The keys of visits are theirs alone; those of pauses and missing events count from 1 in every session. */
function keyIn(item: Item, n: number): string {
  return item.is === "period" && item.period.visit !== null ? item.key : `${n} ${item.key}`;
}

function placed(
  items: readonly Item[],
  from: number,
): readonly { readonly at: number; readonly item: Item }[] {
  let at = from;
  return items.map((item) => {
    if (item.is === "period") at = item.period.from;
    return { at, item };
  });
}
