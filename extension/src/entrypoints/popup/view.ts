/** Which of its states the popup shows. */
import type { Pause } from "../../automatic/pauses";
import type { Status } from "../../messages";
import { sessionLink } from "../../outbox/account";
import type { RunningSession, SessionName } from "../../outbox/database";

export type View =
  | { readonly is: "signed-out"; readonly wasConnected: boolean }
  | { readonly is: "interrupted"; readonly lastAt: number }
  | {
      readonly is: "recording";
      readonly startedAt: number;
      readonly pages: number;
      readonly highlights: number;
      readonly name: SessionName | null;
      readonly link: string;
      readonly isByItself: boolean;
      readonly isPaused: boolean;
    }
  /** Recording by itself, which is paused or waits for the next page. */
  | { readonly is: "paused"; readonly until: Pause["until"] }
  | { readonly is: "automatic"; readonly isHeld: boolean }
  | { readonly is: "stopping" }
  | { readonly is: "waiting"; readonly events: number }
  | { readonly is: "saved"; readonly link: string; readonly name: SessionName | null }
  | { readonly is: "refused" }
  | { readonly is: "limit"; readonly running: readonly RunningSession[] }
  | { readonly is: "ready" };

/** How long the popup shows how the last recording ended. */
const OUTCOME_SHOWN_MS = 10 * 60_000;

export function viewOf(status: Status, now: number): View {
  const { account, recording, isStopping, isOffline, outcome, pause } = status;
  if (recording?.isInterrupted) return { is: "interrupted", lastAt: recording.lastAt };
  if (recording !== null) {
    const { startedAt, pages, highlights, name, link, isByItself } = recording;
    return {
      is: "recording",
      startedAt,
      pages,
      highlights,
      name,
      link,
      isByItself,
      isPaused: pause !== null,
    };
  }
  if (account === null || account.isSignedOut) return { is: "signed-out", wasConnected: account !== null };
  if (status.isAutomatic && pause !== null) return { is: "paused", until: pause.until };
  if (isStopping && !isOffline) return { is: "stopping" };
  // Unsent events may wait for days, and another recording can be started meanwhile. A discarded recording has none.
  if (isStopping) {
    const events = waitingEvents(status);
    return events > 0 ? { is: "waiting", events } : { is: "ready" };
  }
  if (outcome !== null && now - outcome.at < OUTCOME_SHOWN_MS) {
    const { owner, id, name } = outcome;
    if (outcome.is === "saved") return { is: "saved", link: sessionLink(owner, id), name: name ?? null };
    if (outcome.is === "refused") return { is: "refused" };
    if (outcome.is === "limit") return { is: "limit", running: outcome.running ?? [] };
  }
  return status.isAutomatic ? { is: "automatic", isHeld: status.isHeld } : { is: "ready" };
}

/** Events that will be sent as soon as the server is reachable. */
export function waitingEvents({ unsent, unsentElsewhere }: Status): number {
  return unsent - unsentElsewhere;
}
