/**
 * Puts what was observed around a start of the service worker into the order in which it happened.
 *
 * A worker that starts is told at once of everything that happened meanwhile: in the right order, but with late times. Pages
 * report with their own times when they became visible, even if the browser's event was lost with the worker before. So
 * browser events take their times from the matching reports, and what only a page reported is sorted in among them.
 */
import {
  type Activated,
  type Committed,
  NO_TAB,
  type Observation,
  type Report,
  type Shown,
} from "./observations";
import { isActivationReport, isReport, parseReportId } from "./report-ids";

/** How long a page may take to notice that it is visible. */
const PAGE_NOTICES_WITHIN_MS = 500;
/** How long the browser may take to announce a committed page. */
const COMMIT_ANNOUNCED_WITHIN_MS = 1_000;
/** How long a worker may take to start. */
const WORKER_STARTS_WITHIN_MS = 5_000;
/** One more match outweighs any sum of time differences. */
const MATCH_SCORE = 1e7;

/** An observation and its key in the write-ahead log. */
export interface Logged {
  readonly observation: Observation;
  readonly key?: string | undefined;
}
interface Dated extends Logged {
  /** What it is sorted by. */
  readonly at: number;
}

/** `logged` as it was received; browser events in the order in which the browser sent them. */
export function reorder(logged: readonly Logged[]): Logged[] {
  const reports = distinct(logged.filter(({ observation }) => isReport(observation)));
  const events = logged.filter(({ observation }) => !isReport(observation));
  const reported = reports.flatMap(({ observation }) => (isReport(observation) ? [observation] : []));
  return [...dateEvents(events, reported), ...dateReports(reports)].sort((a, b) => a.at - b.at);
}

/** One of each report, preferably one whose tab is known. */
function distinct(reports: readonly Logged[]): Logged[] {
  const found = new Map<string, Logged>();
  for (const each of reports) {
    const { observation } = each;
    if (!isReport(observation)) continue;
    if (observation.tabId !== NO_TAB || !found.has(observation.reportId))
      found.set(observation.reportId, each);
  }
  return [...found.values()];
}

/** Browser events with the times of the matching reports; an event without a report comes before what followed it. */
function dateEvents(events: readonly Logged[], reports: readonly Report[]): Dated[] {
  const activations = events.flatMap(({ observation }) =>
    observation.kind === "activated" ? [observation] : [],
  );
  const matches = matchActivations(
    activations,
    reports.filter(isActivationReport).sort((a, b) => a.t - b.t),
  );
  const arrivals = unannounced(reports, events);
  let next = Number.POSITIVE_INFINITY;
  return events
    .toReversed()
    .map(({ observation, key }) => {
      const isActivation = observation.kind === "activated";
      const match = isActivation ? matches.get(observation) : undefined;
      // Each tab was active for at least a moment.
      const latest = isActivation ? next - 1 : next;
      next = match?.t ?? Math.min(arrivalTime(observation, arrivals), latest);
      return { at: next, observation: { ...observation, t: next }, key };
    })
    .reverse();
}

/** Reports from pages that were there before the browser announced their commit. */
function unannounced(reports: readonly Report[], events: readonly Logged[]): Report[] {
  const commits = events.flatMap(({ observation }) =>
    observation.kind === "committed" ? [observation] : [],
  );
  return reports.filter(
    (report) => !commits.some((commit) => commit.t <= report.t && isSame(report, commit)),
  );
}

/**
 * When a page arrived, if the browser announced it later than the page did: no later than the page's report, or the commit
 * would be recorded twice. A busy browser was 31 to 81 ms late.
 */
function arrivalTime(observation: Observation, reports: readonly Report[]): number {
  if (observation.kind !== "committed") return observation.t;
  const since = observation.t - COMMIT_ANNOUNCED_WITHIN_MS;
  const times = reports
    .filter((report) => report.t >= since && report.t <= observation.t && isSame(report, observation))
    .map(({ t }) => t);
  return times.length > 0 ? Math.max(...times) : observation.t;
}

/** Whether a report and a commit are about the same arrival: of a new document, or of a new URL within one. */
function isSame(report: Report, { tabId, url, isSameDocument }: Committed): boolean {
  const isArrival = isSameDocument ? report.kind === "moved" : report.kind === "shown" && report.isFirst;
  return isArrival && report.url === url && (report.tabId === tabId || report.tabId === NO_TAB);
}

/** A linked list of matches: the first one, then the rest. */
interface Matching {
  readonly score: number;
  readonly activation: Activated;
  readonly report: Shown;
  readonly rest: Matching | undefined;
}

/**
 * Which report belongs to which browser event. Some of both are lost, but both are in order: so as many as possible are
 * matched without crossing, and among those matchings the one with the smallest time differences wins. (Alignment of two
 * sequences by dynamic programming.)
 */
function matchActivations(
  activations: readonly Activated[],
  reports: readonly Shown[],
): Map<Activated, Shown> {
  // best[j]: the best matching of the activations seen so far, which are the last ones, with the reports from j on.
  let best: readonly (Matching | undefined)[] = [];
  for (const activation of activations.toReversed()) {
    const next: (Matching | undefined)[] = [];
    for (const [j, report] of [...reports.entries()].reverse()) {
      const [withoutActivation, withoutReport] = [best[j], next[j + 1]];
      next[j] = better(better(withoutActivation, match(activation, report, best[j + 1])), withoutReport);
    }
    best = next;
  }
  const found = new Map<Activated, Shown>();
  for (let each = best[0]; each !== undefined; each = each.rest) found.set(each.activation, each.report);
  return found;
}

/** The two as a match, if they can belong together. */
function match(activation: Activated, report: Shown, rest: Matching | undefined): Matching | undefined {
  const late = activation.t - report.t;
  const isPossible = late <= WORKER_STARTS_WITHIN_MS && -late <= PAGE_NOTICES_WITHIN_MS;
  if (activation.tabId !== report.tabId || !isPossible) return undefined;
  return { score: MATCH_SCORE - Math.abs(late) + (rest?.score ?? 0), activation, report, rest };
}

function better(a: Matching | undefined, b: Matching | undefined): Matching | undefined {
  return (b?.score ?? 0) > (a?.score ?? 0) ? b : a;
}

/** A page's reports stay in the order in which it sent them, whatever their times. */
function dateReports(reports: readonly Logged[]): Dated[] {
  const last = new Map<string, number>();
  const numbered = reports.map((each) => ({
    ...each,
    ...parseReportId(isReport(each.observation) ? each.observation.reportId : ""),
  }));
  numbered.sort((a, b) => a.number - b.number);
  return numbered.map(({ observation, key, script }) => {
    const at = Math.max(observation.t, last.get(script) ?? 0);
    last.set(script, at);
    const isActivation = isActivationReport(observation);
    return { at, observation: isActivation ? { ...observation, isSure: true as const } : observation, key };
  });
}
