/** For tests: runs observations through the reducer. */
import type { NewEvent } from "./events";
import type { Rules } from "./exclusions";
import type { Observation, OpenTab } from "./observations";
import { reduce } from "./reduce";
import { type CaptureState, NOTHING_KNOWN } from "./state";

export const RULES: Rules = { excluded: ["bank.example"], only: null };
export const A = "https://a.example/";
export const B = "https://b.example/b";

export const tab = (id: number, url: string, more: Partial<OpenTab> = {}): OpenTab => ({
  id,
  windowId: 1,
  isActive: false,
  isPrivate: false,
  url,
  ...more,
});

export function run(
  observations: readonly Observation[],
  rules = RULES,
  start: CaptureState = NOTHING_KNOWN,
) {
  let state = start;
  const events: NewEvent[] = [];
  for (const observation of observations) {
    const reduced = reduce(state, observation, rules);
    state = reduced.state;
    events.push(...reduced.events);
  }
  return { state, events };
}

/** A recording that began at 1,000 with A in the active tab 1 and B in tab 2. */
export const started = run([
  {
    kind: "snapshot",
    t: 1_000,
    tabs: [tab(1, A, { isActive: true, title: "A" }), tab(2, B)],
    focusedWindowId: 1,
    isRestart: false,
  },
]);

/** The events that follow from observations in that recording. */
export const after = (...observations: Observation[]) => run(observations, RULES, started.state).events;
