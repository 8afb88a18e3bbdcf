/** `ALIVE`: how the server distinguishes quiet reading from a sleeping computer. */
import { ALIVE_AFTER_MS } from "@mindhit/client";
import { type CaptureState, emit, noEvents, type Reduced } from "./state";

/** Any event shows that the browser is awake; `ALIVE` is sent only after `ALIVE_AFTER_MS` without one, with the next alarm. */
export function tick(state: CaptureState, t: number): Reduced {
  // A clock that was set back must not silence it.
  if (state.lastAt !== null && Math.abs(t - state.lastAt) < ALIVE_AFTER_MS) return noEvents(state);
  return emit(state, t, { type: "ALIVE" });
}
