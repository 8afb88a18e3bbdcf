/** `ALIVE`: how the server tells a quiet reader from a sleeping computer. */
import { type CaptureState, emit, noEvents, type Reduced } from "./state";

/** Any event shows that the browser is awake; after this long without one, `ALIVE` is sent with the next alarm. */
export const ALIVE_AFTER_MS = 45_000;

export function tick(state: CaptureState, t: number): Reduced {
  // A clock that was set back must not silence it.
  if (state.lastAt !== null && Math.abs(t - state.lastAt) < ALIVE_AFTER_MS) return noEvents(state);
  return emit(state, t, { type: "ALIVE" });
}
