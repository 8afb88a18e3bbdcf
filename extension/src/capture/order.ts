/**
 * What was told around a start of the service worker, put into the order in which it came about.
 *
 * A worker that starts hears at once of all that happened while it did: in the right order, but late. Pages say with their
 * own times when they came to the front, and they say it even where the browser's word was lost with the worker before. So
 * the browser's words are dated by those of the pages, and whatever only a page has said gets its place among them.
 */
import { type Activated, type Committed, type Happening, NO_TAB, type Shown } from "./model";
import { isTurn, isWord, nameOf, type Word } from "./words";

/** So long may a page take to hear that it is in front. */
const HEARD_WITHIN_MS = 500;
/** So long may the browser take to say that a page is there. */
const COMMITTED_WITHIN_MS = 1_000;
/** So long may a worker take to start. */
const STARTED_WITHIN_MS = 5_000;
/** A match is worth more than all distances in time together. */
const MATCH = 1e7;

/** Something that was told, and its name in the journal. */
export interface Told {
  readonly happening: Happening;
  readonly key?: string | undefined;
}
interface Placed extends Told {
  /** Where it belongs in time. */
  readonly at: number;
}

/** `told` as it came in, what the browser said in the order in which it said it. */
export function inOrder(told: readonly Told[]): Told[] {
  const words = distinct(told.filter(({ happening }) => isWord(happening)));
  const events = told.filter(({ happening }) => !isWord(happening));
  const said = words.flatMap(({ happening }) => (isWord(happening) ? [happening] : []));
  return [...dated(events, said), ...placed(words)].sort((one, other) => one.at - other.at);
}

/** What a page repeats is one word; it is better heard where its tab is known. */
function distinct(words: readonly Told[]): Told[] {
  const found = new Map<string, Told>();
  for (const word of words) {
    const { happening } = word;
    if (!isWord(happening)) continue;
    if (happening.tabId !== NO_TAB || !found.has(happening.message)) found.set(happening.message, word);
  }
  return [...found.values()];
}

/** With the times that the pages know; what no page speaks of comes before what followed it. */
function dated(events: readonly Told[], words: readonly Word[]): Placed[] {
  const activations = events.flatMap(({ happening }) => (happening.kind === "activated" ? [happening] : []));
  const turns = matched(
    activations,
    words.filter(isTurn).sort((one, other) => one.t - other.t),
  );
  const arrivals = early(words, events);
  let next = Number.POSITIVE_INFINITY;
  return events
    .toReversed()
    .map(({ happening, key }) => {
      const isActivation = happening.kind === "activated";
      const turn = isActivation ? turns.get(happening) : undefined;
      // Something was in front, if only for a moment.
      const latest = isActivation ? next - 1 : next;
      next = turn?.t ?? Math.min(thereAt(happening, arrivals), latest);
      return { at: next, happening: { ...happening, t: next }, key };
    })
    .reverse();
}

/** Words of pages that were there before the browser said so. */
function early(words: readonly Word[], events: readonly Told[]): Word[] {
  const commits = events.flatMap(({ happening }) => (happening.kind === "committed" ? [happening] : []));
  return words.filter((word) => !commits.some((commit) => commit.t <= word.t && speaksOf(word, commit)));
}

/**
 * When a page was there, if the browser says it later than the page: no later than the page's own word, or the commit would
 * be told twice, once by each. A busy browser was 31 to 81 ms late.
 */
function thereAt(happening: Happening, words: readonly Word[]): number {
  if (happening.kind !== "committed") return happening.t;
  const since = happening.t - COMMITTED_WITHIN_MS;
  const times = words
    .filter((word) => word.t >= since && word.t <= happening.t && speaksOf(word, happening))
    .map(({ t }) => t);
  return times.length > 0 ? Math.max(...times) : happening.t;
}

/** Whether a page says what the browser does: a new one when its script begins, one that a script has moved when it has. */
function speaksOf(word: Word, { tabId, url, isSameDocument }: Committed): boolean {
  const isArrival = isSameDocument ? word.kind === "moved" : word.kind === "shown" && word.isFirst;
  return isArrival && word.url === url && (word.tabId === tabId || word.tabId === NO_TAB);
}

/** A way to match: its first pair, and how it goes on. */
interface Way {
  readonly worth: number;
  readonly activation: Activated;
  readonly turn: Shown;
  readonly rest: Way | undefined;
}

/**
 * Which word of a page belongs to which of the browser's. Of both some are lost, but both are in order: so as many as can
 * be are matched without a crossing, and among the ways to do that those that are closest in time.
 */
function matched(activations: readonly Activated[], turns: readonly Shown[]): Map<Activated, Shown> {
  // ways[j]: the best with the activations seen so far, which are the last ones, and the words from j on.
  let ways: readonly (Way | undefined)[] = [];
  for (const activation of activations.toReversed()) {
    const longer: (Way | undefined)[] = [];
    for (const [j, turn] of [...turns.entries()].reverse()) {
      const [withoutIt, withoutTheWord] = [ways[j], longer[j + 1]];
      longer[j] = better(better(withoutIt, pair(activation, turn, ways[j + 1])), withoutTheWord);
    }
    ways = longer;
  }
  const found = new Map<Activated, Shown>();
  for (let way = ways[0]; way !== undefined; way = way.rest) found.set(way.activation, way.turn);
  return found;
}

/** The two together, where one can be said of the other. */
function pair(activation: Activated, turn: Shown, rest: Way | undefined): Way | undefined {
  const late = activation.t - turn.t;
  const isPossible = late <= STARTED_WITHIN_MS && -late <= HEARD_WITHIN_MS;
  if (activation.tabId !== turn.tabId || !isPossible) return undefined;
  return { worth: MATCH - Math.abs(late) + (rest?.worth ?? 0), activation, turn, rest };
}

function better(one: Way | undefined, other: Way | undefined): Way | undefined {
  return (other?.worth ?? 0) > (one?.worth ?? 0) ? other : one;
}

/** A page's words stay in the order in which it said them, whenever it was that they speak of. */
function placed(words: readonly Told[]): Placed[] {
  const last = new Map<string, number>();
  const named = words.map((told) => ({
    ...told,
    ...nameOf(isWord(told.happening) ? told.happening.message : ""),
  }));
  named.sort((one, other) => one.number - other.number);
  return named.map(({ happening, key, script }) => {
    const at = Math.max(happening.t, last.get(script) ?? 0);
    last.set(script, at);
    return { at, happening: isTurn(happening) ? { ...happening, isSure: true as const } : happening, key };
  });
}
