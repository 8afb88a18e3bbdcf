/**
 * A session as periods in order of time: visits and pauses, with the holes of missing events between them.
 * Pure; the timeline lists it and the strip draws it.
 */
import type { Detail, Highlight, Hole, Pause, Summary, Visit } from "../api";

export type Kind = "focused" | "unfocused" | Pause["kind"];

export interface Period {
  readonly kind: Kind;
  readonly from: number;
  /** Of a period that hasn't ended: the last moment known. */
  readonly to: number;
  readonly isOpen: boolean;
  readonly visit: Visit | null;
  readonly highlights: readonly Highlight[];
  readonly shown: Shown | null;
}

/** Of a visit without a navigation: the tab had this page before, or it was open before the recording began. */
export type Shown = "again" | "already";

export type Item =
  | { readonly is: "period"; readonly key: string; readonly period: Period }
  | { readonly is: "hole"; readonly key: string; readonly hole: Hole }
  /** Of several sessions together: here this one begins, or goes on. */
  | { readonly is: "session"; readonly key: string; readonly session: Summary };

export interface SessionTimeline {
  readonly items: readonly Item[];
  readonly periods: readonly Period[];
  /** Pauses too short to be listed; the strip has them. */
  readonly folded: number;
  readonly from: number;
  readonly to: number;
  /** The longest focused visit: dwell bars are relative to it. */
  readonly longest: number;
}

/** A shorter pause is no row of its own. */
const SHORTEST_PAUSE_MS = 1_000;

export function timelineOf({ session, page_visits, pauses, highlights, holes }: Detail): SessionTimeline {
  const byVisit = new Map<string | null, Highlight[]>();
  for (const highlight of highlights)
    byVisit.set(highlight.page_visit_id, [...(byVisit.get(highlight.page_visit_id) ?? []), highlight]);
  const shown = shownOf(page_visits, holes.length === 0);
  const periods = [
    ...page_visits.map((visit) => ofVisit(visit, byVisit.get(visit.id) ?? [], shown.get(visit.id) ?? null)),
    ...pauses.map(ofPause),
  ].sort((one, other) => one.from - other.from || Number(one.isOpen) - Number(other.isOpen));
  const from = periods[0]?.from ?? Date.parse(session.started_at);
  const to = periods.reduce((last, period) => Math.max(last, period.to), from);
  const listed = periods.filter((period) => !isFolded(period));
  return {
    items: withHoles(listed, holes),
    periods,
    folded: periods.length - listed.length,
    from,
    to: Math.max(to, from + 1),
    longest: periods.reduce(
      (most, { kind, from, to }) => (kind === "focused" ? Math.max(most, to - from) : most),
      1,
    ),
  };
}

function isFolded({ visit, from, to, isOpen }: Period): boolean {
  return visit === null && !isOpen && to - from < SHORTEST_PAUSE_MS;
}

/** The open period lasts until now; the server knows it only up to the last event. */
export function extendedTo(timeline: SessionTimeline, now: number, silentMs: number): SessionTimeline {
  const last = timeline.periods.at(-1);
  // After minutes of silence nobody knows whether the page is still being read.
  if (!last?.isOpen || now <= last.to || now - last.to > silentMs) return timeline;
  const grown = { ...last, to: now };
  return {
    ...timeline,
    to: Math.max(timeline.to, now),
    longest: grown.kind === "focused" ? Math.max(timeline.longest, now - grown.from) : timeline.longest,
    periods: [...timeline.periods.slice(0, -1), grown],
    items: timeline.items.map((item) =>
      item.is === "period" && item.period === last ? { ...item, period: grown } : item,
    ),
  };
}

/** The key of a period's row. */
export function keyOf(period: Period): string {
  return period.visit?.id ?? `${period.kind} ${period.from}`;
}

/** The row of a period; of one that is not listed, the row before it. */
export function rowOf(items: readonly Item[], period: Period): number {
  const key = keyOf(period);
  const index = items.findIndex((item) => item.key === key);
  if (index >= 0) return index;
  return items.findLastIndex((item) => item.is === "period" && item.period.from <= period.from);
}

/** The period at a moment: the last one that has begun by then. */
export function at(periods: readonly Period[], moment: number): Period | null {
  let low = 0;
  let high = periods.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((periods[middle]?.from ?? Infinity) <= moment) low = middle + 1;
    else high = middle;
  }
  const found = periods[low - 1];
  return found && moment < found.to ? found : null;
}

/**
 * Going behind another program isn't coming back to a page, and how another page came into a known tab without a
 * navigation isn't known. Where events are missing, the navigation may be among them.
 */
function shownOf(visits: readonly Visit[], isComplete: boolean): Map<string, Shown> {
  const pages = new Map<number, Set<string>>();
  const shown = new Map<string, Shown>();
  for (const { id, tab_id, url_id: page, transition, came_from, is_focused } of visits) {
    const before = pages.get(tab_id);
    if (transition === null && came_from === null) {
      if (before?.has(page)) {
        if (is_focused) shown.set(id, "again");
      } else if (before === undefined && isComplete) shown.set(id, "already");
    }
    pages.set(tab_id, (before ?? new Set()).add(page));
  }
  return shown;
}

function ofVisit(visit: Visit, highlights: readonly Highlight[], shown: Shown | null): Period {
  const kind = visit.is_focused ? "focused" : "unfocused";
  return { kind, ...edges(visit), visit, highlights, shown };
}

function ofPause(pause: Pause): Period {
  return { kind: pause.kind, ...edges(pause), visit: null, highlights: [], shown: null };
}

function edges(each: Visit | Pause) {
  const from = Date.parse(each.entered_at);
  const to = each.left_at === null ? from + each.duration_ms : Date.parse(each.left_at);
  return { from, to, isOpen: each.left_at === null };
}

/** A hole has no time of its own; it lies before the first visit that a later event opened. */
function withHoles(periods: readonly Period[], holes: readonly Hole[]): Item[] {
  const left = [...holes].sort((one, other) => one.from_seq - other.from_seq);
  const items: Item[] = [];
  const put = (hole: Hole) => {
    items.push({ is: "hole", key: `hole ${hole.from_seq}`, hole });
  };
  for (const period of periods) {
    const seq = period.visit === null ? 0 : seqOf(period.visit);
    for (let next = left[0]; next && seq > next.to_seq; next = left[0]) {
      put(next);
      left.shift();
    }
    items.push({ is: "period", key: keyOf(period), period });
  }
  left.forEach(put);
  return items;
}

/** The event that opened a visit is the last part of its id. */
function seqOf(visit: Visit): number {
  return Number(visit.id.slice(visit.id.lastIndexOf(":") + 1));
}
