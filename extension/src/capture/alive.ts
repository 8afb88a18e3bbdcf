/** `ALIVE`: how the server distinguishes quiet reading from a sleeping computer. */
import { ALIVE_AFTER_MS } from "@mindhit/client";
import { type CaptureState, emit, isUsed, noEvents, type Reduced } from "./state";

/** No more are kept: the recording has ended long before. */
const MOST_KEPT = 200;

/**
 * Any event shows that the browser is awake; `ALIVE` is sent only after `ALIVE_AFTER_MS` without one, with the next alarm.
 *
 * A recording that ends when the user is away for long (`endsByItself`) must not end with half an hour of absence. So while
 * the user is away it only notes when the browser was awake, and sends that once the user is back.
 */
export function tick(state: CaptureState, t: number, endsByItself: boolean): Reduced {
  const { awakeAt = [] } = state;
  const lastAt = awakeAt.at(-1) ?? state.lastAt;
  // A clock that was set back must not silence it.
  if (lastAt !== null && Math.abs(t - lastAt) < ALIVE_AFTER_MS) return noEvents(state);
  if (endsByItself && !isUsed(state))
    return noEvents({ ...state, awakeAt: [...awakeAt, t].slice(-MOST_KEPT) });
  return emit(state, t, { type: "ALIVE" });
}
