/** After the browser was closed while recording: whether to go on, and what belongs to the time before. */
import type { Observation } from "../capture/observations";
import { type Logged, reorder } from "../capture/reorder";
import { isReport } from "../capture/report-ids";
import type { Recording } from "../outbox/database";

/** A browser that comes back sooner goes on recording; later the user is asked what to do. */
const RESUME_WITHIN_MS = 30 * 60_000;

export function lastActivity({ capture, startedAt }: Recording): number {
  return capture.lastAt ?? startedAt;
}

/** A clock that was set back is treated as a long absence. */
export function mayResume(recording: Recording, now: number): boolean {
  return Math.abs(now - lastActivity(recording)) <= RESUME_WITHIN_MS;
}

/**
 * Reports that pages left in the previous run of the browser. Pages of this run may have reported already; their reports
 * are closer to now than to the recording's last event.
 */
export function reportsFromBefore(leftovers: readonly Logged[], recording: Recording, now: number): Logged[] {
  const lastAt = lastActivity(recording);
  const isOld = ({ t }: Observation) => Math.abs(t - lastAt) < Math.abs(now - t);
  return reorder(leftovers.filter(({ observation }) => isReport(observation) && isOld(observation)));
}
