/**
 * A session as one line of time: visits and pauses in order, with what is missing of the log between them.
 * Pure; what the timeline lists and the strip draws.
 */
import type { Detail, Hole, Mark, Pause, Visit } from "./api";

export type Kind = "focused" | "unfocused" | Pause["kind"];

export interface Stretch {
  readonly kind: Kind;
  readonly from: number;
  /** Of what lasts: the last moment that is known. */
  readonly to: number;
  readonly isOpen: boolean;
  readonly visit: Visit | null;
  readonly marks: readonly Mark[];
  readonly shown: Shown | null;
}

/** Of a visit that no navigation led to: the tab had this page before, or it was open before the recording was. */
export type Shown = "again" | "already";

export type Item =
  | { readonly is: "stretch"; readonly key: string; readonly stretch: Stretch }
  | { readonly is: "hole"; readonly key: string; readonly hole: Hole };

export interface Line {
  readonly items: readonly Item[];
  readonly stretches: readonly Stretch[];
  readonly from: number;
  readonly to: number;
  /** Of the focused visits: what dwell bars are measured by. */
  readonly longest: number;
  /** By the time spent, most first. */
  readonly domains: readonly string[];
}

export function lineOf({ session, page_visits, pauses, highlights, holes }: Detail): Line {
  const marks = new Map<string | null, Mark[]>();
  for (const mark of highlights)
    marks.set(mark.page_visit_id, [...(marks.get(mark.page_visit_id) ?? []), mark]);
  const shown = shownOf(page_visits, holes.length === 0);
  const stretches = [
    ...page_visits.map((visit) => ofVisit(visit, marks.get(visit.id) ?? [], shown.get(visit.id) ?? null)),
    ...pauses.map(ofPause),
  ].sort((one, other) => one.from - other.from || Number(one.isOpen) - Number(other.isOpen));
  const started = Date.parse(session.started_at);
  const from = stretches[0]?.from ?? started;
  const to = stretches.reduce((last, stretch) => Math.max(last, stretch.to), from);
  return {
    items: withHoles(stretches, holes),
    stretches,
    from,
    to: Math.max(to, from + 1),
    longest: stretches.reduce(
      (most, { kind, from, to }) => (kind === "focused" ? Math.max(most, to - from) : most),
      1,
    ),
    domains: domainsOf(page_visits),
  };
}

/**
 * A page behind another program is not come back to, and of one that a tab has anew without a navigation nobody knows how it
 * came there. Where events are missing, the navigation may be among them.
 */
function shownOf(visits: readonly Visit[], isComplete: boolean): Map<string, Shown> {
  const pages = new Map<number, Set<string>>();
  const shown = new Map<string, Shown>();
  for (const { id, tab_id, url, transition, came_from, is_focused } of visits) {
    const before = pages.get(tab_id);
    if (transition === null && came_from === null) {
      if (before?.has(url)) {
        if (is_focused) shown.set(id, "again");
      } else if (before === undefined && isComplete) shown.set(id, "already");
    }
    pages.set(tab_id, (before ?? new Set()).add(url));
  }
  return shown;
}

function ofVisit(visit: Visit, marks: readonly Mark[], shown: Shown | null): Stretch {
  const kind = visit.is_focused ? "focused" : "unfocused";
  return { kind, ...edges(visit), visit, marks, shown };
}

function ofPause(pause: Pause): Stretch {
  return { kind: pause.kind, ...edges(pause), visit: null, marks: [], shown: null };
}

function edges(each: Visit | Pause) {
  const from = Date.parse(each.entered_at);
  const to = each.left_at === null ? from + each.duration_ms : Date.parse(each.left_at);
  return { from, to, isOpen: each.left_at === null };
}

/** A hole has no time of its own; it lies before the first visit that a later event opened. */
function withHoles(stretches: readonly Stretch[], holes: readonly Hole[]): Item[] {
  const left = [...holes].sort((one, other) => one.from_seq - other.from_seq);
  const items: Item[] = [];
  const put = (hole: Hole) => {
    items.push({ is: "hole", key: `hole ${hole.from_seq}`, hole });
  };
  for (const stretch of stretches) {
    const seq = stretch.visit === null ? 0 : seqOf(stretch.visit);
    for (let next = left[0]; next && seq > next.to_seq; next = left[0]) {
      put(next);
      left.shift();
    }
    const key = stretch.visit?.id ?? `${stretch.kind} ${stretch.from}`;
    items.push({ is: "stretch", key, stretch });
  }
  left.forEach(put);
  return items;
}

/** The event that opened a visit is the last part of its id. */
function seqOf(visit: Visit): number {
  return Number(visit.id.slice(visit.id.lastIndexOf(":") + 1));
}

function domainsOf(visits: readonly Visit[]): string[] {
  const times = new Map<string, number>();
  for (const { domain, duration_ms, is_focused } of visits)
    times.set(domain, (times.get(domain) ?? 0) + (is_focused ? duration_ms : 0));
  return [...times].sort((one, other) => other[1] - one[1]).map(([domain]) => domain);
}

/** The stretch at a moment: the last one that has begun by then. */
export function at(stretches: readonly Stretch[], moment: number): Stretch | null {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.from ?? Infinity) <= moment) low = middle + 1;
    else high = middle;
  }
  const found = stretches[low - 1];
  return found && moment < found.to ? found : null;
}
