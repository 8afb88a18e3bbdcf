/** The server as the outbox uses it; `http.ts` is the real one. */
import type { SentEvent, components } from "@mindhit/client";
import type { Refusal, RunningSession, SessionName } from "./database";

/** Older servers do not count pages in their answer. */
export type Receipt = Omit<components["schemas"]["BatchReceipt"], "pageCount"> & {
  readonly pageCount?: number | null;
};
/** Newer servers say what the session is called as long as it has no title. */
export interface Stopped {
  readonly name?: SessionName | undefined;
}

/**
 *     ok           done
 *     not-found    the server doesn't have this session: start it
 *     closed       the session was deleted, or is closed permanently: drop it
 *     limit        the plan allows no more sessions at once: drop it, and say which ones run
 *     too-large    send less at once
 *     invalid      the server can't read it, and never will
 *     forbidden    this token lacks the scope
 *     signed-out   connect again
 *     unreachable  not reachable, busy, or (`refusal`) taking nothing at present: keep it, retry later
 */
export type Answer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "not-found" | "closed" | "too-large" | "invalid" | "forbidden" | "signed-out" }
  | { readonly kind: "limit"; readonly running: readonly RunningSession[] }
  | { readonly kind: "unreachable"; readonly retryAfterMs?: number; readonly refusal?: Refusal };

export type Failure = Exclude<Answer<never>, { readonly kind: "ok" }>;

export interface Server {
  start(id: string, startedAt: number): Promise<Answer<unknown>>;
  send(id: string, events: readonly SentEvent[]): Promise<Answer<Receipt>>;
  stop(id: string, lastSeq: number, endedAt: number): Promise<Answer<Stopped>>;
  remove(id: string): Promise<Answer<unknown>>;
  /** Save a page to the library; where it is saved already, nothing changes. */
  save(address: string, title: string): Promise<Answer<unknown>>;
  /** Save it too, if it is not, and have it come back from tomorrow on. */
  remind(address: string, title: string): Promise<Answer<unknown>>;
}
