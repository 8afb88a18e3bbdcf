/** What the popup shows, decided without drawing it. */
import type { Status } from "../messages";

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
  | { readonly is: "saved"; readonly link: string }
  | { readonly is: "refused" }
  | { readonly is: "ready" };

/** How long the end of a recording is news. */
const NEWS_MS = 10 * 60_000;

export function viewOf({ account, recording, isStopping, outcome }: Status, now: number): View {
  if (recording?.isInterrupted) return { is: "interrupted", lastAt: recording.lastAt };
  if (recording !== null) {
    const { startedAt, pages, highlights } = recording;
    return { is: "recording", startedAt, pages, highlights };
  }
  if (account === null || account.isSignedOut) return { is: "signed-out", wasConnected: account !== null };
  if (isStopping) return { is: "stopping" };
  if (outcome !== null && now - outcome.at < NEWS_MS) {
    if (outcome.is === "saved") return { is: "saved", link: `${account.server}/sessions/${outcome.id}` };
    if (outcome.is === "refused") return { is: "refused" };
  }
  return { is: "ready" };
}
