/** Which of its states the popup shows. */
import type { Status } from "../../messages";
import { serverOfOwner } from "../../outbox/account";

export type View =
  | { readonly is: "signed-out"; readonly wasConnected: boolean }
  | { readonly is: "interrupted"; readonly lastAt: number }
  | {
      readonly is: "recording";
      readonly startedAt: number;
      readonly pages: number;
      readonly highlights: number;
    }
  | { readonly is: "stopping" }
  | { readonly is: "waiting"; readonly events: number }
  | { readonly is: "saved"; readonly link: string }
  | { readonly is: "refused" }
  | { readonly is: "ready" };

/** How long the popup shows how the last recording ended. */
const OUTCOME_SHOWN_MS = 10 * 60_000;

export function viewOf(status: Status, now: number): View {
  const { account, recording, isStopping, isOffline, outcome } = status;
  if (recording?.isInterrupted) return { is: "interrupted", lastAt: recording.lastAt };
  if (recording !== null) {
    const { startedAt, pages, highlights } = recording;
    return { is: "recording", startedAt, pages, highlights };
  }
  if (account === null || account.isSignedOut) return { is: "signed-out", wasConnected: account !== null };
  if (isStopping && !isOffline) return { is: "stopping" };
  // Unsent events may wait for days, and another recording can be started meanwhile. A discarded recording has none.
  if (isStopping) {
    const events = waitingEvents(status);
    return events > 0 ? { is: "waiting", events } : { is: "ready" };
  }
  if (outcome !== null && now - outcome.at < OUTCOME_SHOWN_MS) {
    if (outcome.is === "saved")
      return { is: "saved", link: `${serverOfOwner(outcome.owner)}/sessions/${outcome.id}` };
    if (outcome.is === "refused") return { is: "refused" };
  }
  return { is: "ready" };
}

/** Events that will be sent as soon as the server is reachable. */
export function waitingEvents({ unsent, unsentElsewhere }: Status): number {
  return unsent - unsentElsewhere;
}
