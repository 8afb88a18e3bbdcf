/** How long without keyboard or mouse input counts as idle. */
import { IDLE_THRESHOLD_MS } from "@mindhit/client";

export const DEFAULT_IDLE_S = IDLE_THRESHOLD_MS / 1000;
/** Browsers detect nothing shorter. */
export const MIN_IDLE_S = 15;
export const MAX_IDLE_S = 3_600;

/** What browsers accept as a detection interval. */
export function detectionIntervalS(idleAfterS: number): number {
  return Math.max(MIN_IDLE_S, Math.round(idleAfterS));
}
