/** The server as the outbox uses it; `http.ts` is the real one. */
import type { SentEvent, components } from "@mindhit/client";

export type Receipt = components["schemas"]["BatchReceipt"];

/**
 *     ok           done
 *     not-found    the server doesn't have this session: start it
 *     closed       the session was deleted, or is closed permanently: drop it
 *     too-large    send less at once
 *     invalid      the server can't read it, and never will
 *     forbidden    this token lacks the scope
 *     signed-out   connect again
 *     unreachable  not reachable, or busy: retry later
 */
export type Answer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "not-found" | "closed" | "too-large" | "invalid" | "forbidden" | "signed-out" }
  | { readonly kind: "unreachable"; readonly retryAfterMs?: number };

export type Failure = Exclude<Answer<never>, { readonly kind: "ok" }>;

export interface Server {
  start(id: string, startedAt: number): Promise<Answer<unknown>>;
  send(id: string, events: readonly SentEvent[]): Promise<Answer<Receipt>>;
  stop(id: string, lastSeq: number, endedAt: number): Promise<Answer<unknown>>;
  remove(id: string): Promise<Answer<unknown>>;
}
