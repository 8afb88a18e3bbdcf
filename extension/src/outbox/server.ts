/** The server as the outbox needs it; `http.ts` is the real one. */
import type { components } from "@mindhit/client";
import type { WireEvent } from "../capture/model";

export type Receipt = components["schemas"]["BatchReceipt"];

/**
 *     ok         done
 *     gone       no such session (here): start it
 *     over       it was deleted, or is closed for good: let go
 *     too-large  send less at once
 *     bad        the server cannot read it, and never will
 *     forbidden  this token may not
 *     signed-out connect anew
 *     away       nobody there, or busy: later
 */
export type Answer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "gone" | "over" | "too-large" | "bad" | "forbidden" | "signed-out" }
  | { readonly kind: "away"; readonly afterMs?: number };

export type Failure = Exclude<Answer<never>, { readonly kind: "ok" }>;

export interface Server {
  start(id: string, startedAt: number): Promise<Answer<unknown>>;
  send(id: string, events: readonly WireEvent[]): Promise<Answer<Receipt>>;
  stop(id: string, lastSeq: number, endedAt: number): Promise<Answer<unknown>>;
  remove(id: string): Promise<Answer<unknown>>;
}
