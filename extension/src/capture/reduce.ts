/**
 * The reducer: (what is known, what was observed) → (what is known now, the events to send).
 *
 * Pure: no browser, no clock, no storage. The rules are in the file of their subject (`navigation.ts`, `redirects.ts`,
 * `tabs.ts`, `reports.ts`, `snapshot.ts`, `alive.ts`). Two apply everywhere:
 *
 * - A page that must not be recorded becomes an event without a URL, so that the visit before it ends.
 * - Private tabs never appear in any event.
 *
 * `foreground.ts` follows which page is in the foreground, for what the popup shows.
 */
import { tick } from "./alive";
import type { Rules } from "./exclusions";
import { follow, type Followed } from "./foreground";
import { commit, update } from "./navigation";
import type { Focused, IdleChanged, Observation } from "./observations";
import { handleReport } from "./reports";
import { compareSnapshot } from "./snapshot";
import { type CaptureState, emit, noEvents, type Reduced } from "./state";
import { activate, attach, create, remove, replace } from "./tabs";

export interface ReduceOptions {
  /** The recording ends when the user is away for long (see `alive.ts`). */
  readonly endsByItself?: boolean;
}

export function reduce(
  state: CaptureState,
  observation: Observation,
  rules: Rules,
  { endsByItself = false }: ReduceOptions = {},
): Reduced & Followed {
  const reduced = apply(state, observation, rules, endsByItself);
  return { ...follow(state, observation, reduced), events: reduced.events };
}

function apply(state: CaptureState, observation: Observation, rules: Rules, endsByItself: boolean): Reduced {
  switch (observation.kind) {
    case "snapshot":
      return compareSnapshot(state, observation, rules);
    case "created":
      return create(state, observation);
    case "activated":
      return activate(state, observation);
    case "committed":
      return commit(state, observation, rules);
    case "updated":
      return update(state, observation, rules);
    case "attached":
      return attach(state, observation);
    case "replaced":
      return replace(state, observation);
    case "removed":
      return remove(state, observation.t, observation.tabId);
    case "focused":
      return focus(state, observation);
    case "idle":
      return changePresence(state, observation);
    case "shown":
    case "moved":
    case "highlight":
    case "content":
      return handleReport(state, observation, rules);
    case "tick":
      return tick(state, observation.t, endsByItself);
  }
}

function focus(state: CaptureState, { t, windowId }: Focused): Reduced {
  if (windowId === state.focusedWindowId) return noEvents(state);
  return emit({ ...state, focusedWindowId: windowId }, t, {
    type: "WINDOW_FOCUS_CHANGED",
    windowId,
    payload: { focused: windowId >= 0 },
  });
}

function changePresence(state: CaptureState, { t, state: presence, thresholdMs }: IdleChanged): Reduced {
  if (presence === state.presence) return noEvents(state);
  const payload = { state: presence, thresholdMs };
  return emit({ ...state, presence }, t, { type: "IDLE_STATE_CHANGED", payload });
}
