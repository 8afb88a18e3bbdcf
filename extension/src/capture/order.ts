/**
 * What was told around a start of the service worker, put into the order in which it came about.
 *
 * A worker that starts hears at once of all that happened while it did: in the right order, but late. Pages say with their
 * own times when they came to the front, and they say it even where the browser's word was lost with the worker before. So
 * the browser's words are dated by those of the pages, and whatever only a page has said gets its place among them.
 */
import { type Activated, type Happening, NO_TAB, type Shown } from "./model";
import { isTurn, isWord, nameOf } from "./words";

/** So long may a page take to hear that it is in front. */
const HEARD_WITHIN_MS = 500;
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
  const turns = words.flatMap(({ happening }) => (isTurn(happening) ? [happening] : []));
  turns.sort((one, other) => one.t - other.t);
  return [...dated(events, turns), ...placed(words)].sort((one, other) => one.at - other.at);
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
function dated(events: readonly Told[], turns: readonly Shown[]): Placed[] {
  const activations = events.flatMap(({ happening }) => (happening.kind === "activated" ? [happening] : []));
  const words = matched(activations, turns);
  let next = Number.POSITIVE_INFINITY;
  return events
    .toReversed()
    .map(({ happening, key }) => {
      const isActivation = happening.kind === "activated";
      const word = isActivation ? words.get(happening) : undefined;
      // Something was in front, if only for a moment.
      next = word?.t ?? Math.min(happening.t, isActivation ? next - 1 : next);
      return { at: next, happening: { ...happening, t: next }, key };
    })
    .reverse();
}

/**
 * Which word of a page belongs to which of the browser's. Of both some are lost, but both are in order: so as many as can
 * be are matched without a crossing, and among the ways to do that those that are closest in time.
 */
function matched(activations: readonly Activated[], turns: readonly Shown[]): Map<Activated, Shown> {
  const worth = (one: Activated, other: Shown): number => {
    const late = one.t - other.t;
    const isPossible = late <= STARTED_WITHIN_MS && -late <= HEARD_WITHIN_MS && one.tabId === other.tabId;
    return isPossible ? MATCH - Math.abs(late) : Number.NEGATIVE_INFINITY;
  };
  // best[i][j]: what can be had of the activations from i and the words from j.
  const best = Array.from({ length: activations.length + 1 }, () => new Float64Array(turns.length + 1));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const both = (i: number, j: number, one: Activated, other: Shown) => worth(one, other) + at(i + 1, j + 1);
  for (const [i, one] of [...activations.entries()].reverse())
    for (const [j, other] of [...turns.entries()].reverse())
      best[i]?.fill(Math.max(at(i + 1, j), at(i, j + 1), both(i, j, one, other)), j, j + 1);
  const found = new Map<Activated, Shown>();
  let j = 0;
  for (const [i, one] of activations.entries())
    for (const other of turns.slice(j)) {
      if (at(i, j) === at(i + 1, j)) break; // it is matched with none
      const isMatch = at(i, j) === both(i, j, one, other);
      j += 1;
      if (!isMatch) continue;
      found.set(one, other);
      break;
    }
  return found;
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
