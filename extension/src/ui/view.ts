/** What the popup shows, decided without drawing it. */
import type { Status } from "../messages";
import { serverOfOwner } from "../outbox/account";

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

/** How long the end of a recording is news. */
const NEWS_MS = 10 * 60_000;

export function viewOf(status: Status, now: number): View {
  const { account, recording, isStopping, isOffline, outcome } = status;
  if (recording?.isInterrupted) return { is: "interrupted", lastAt: recording.lastAt };
  if (recording !== null) {
    const { startedAt, pages, highlights } = recording;
    return { is: "recording", startedAt, pages, highlights };
  }
  if (account === null || account.isSignedOut) return { is: "signed-out", wasConnected: account !== null };
  if (isStopping && !isOffline) return { is: "stopping" };
  // The rest may wait for days, and holds nobody up. Of what was thrown away nothing waits that would be worth a word.
  if (isStopping) return waiting(status) > 0 ? { is: "waiting", events: waiting(status) } : { is: "ready" };
  if (outcome !== null && now - outcome.at < NEWS_MS) {
    if (outcome.is === "saved")
      return { is: "saved", link: `${serverOfOwner(outcome.owner)}/sessions/${outcome.id}` };
    if (outcome.is === "refused") return { is: "refused" };
  }
  return { is: "ready" };
}

/** Events that are sent as soon as the server answers. */
export function waiting({ held, foreign }: Status): number {
  return held - foreign;
}
