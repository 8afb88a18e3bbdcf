/**
 * Deleting with ten seconds to change one's mind. What is deleted is hidden at once; the request is sent when the time is
 * up, or when the page is closed, by a request that outlives it. If it fails, what was hidden is there again.
 *
 *     removed ──10 s, or the page is left──▶ sent ──▶ gone
 *        └──────── undone ◀────────────────────┴── failed
 */
import { Problem } from "@mindhit/client";
import { useSyncExternalStore } from "react";

const UNDO_MS = 10_000;

export interface Deletion {
  /** What the bar says, e.g. “Session deleted.” */
  readonly text: string;
  /** Ids that are shown nowhere from now on. */
  readonly hides: readonly string[];
  /** Must be a request with `keepalive`. */
  readonly send: () => Promise<unknown>;
  /** Fetches what has changed; the ids stay hidden until it is done. */
  readonly settle: () => Promise<unknown>;
}

export interface Pending extends Deletion {
  readonly id: number;
  readonly state: "waiting" | "sent" | "failed";
  readonly error?: unknown;
}

const listeners = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let pending: readonly Pending[] = [];
let hidden: ReadonlySet<string> = new Set();
let lastId = 0;

export function removeLater(deletion: Deletion): void {
  lastId += 1;
  const id = lastId;
  change([...pending, { ...deletion, id, state: "waiting" }]);
  arm(id);
}

/** The newest one that can still be undone, unless one is named. */
export function undo(id = pending.findLast(({ state }) => state === "waiting")?.id): void {
  if (id === undefined) return;
  disarm(id);
  change(pending.filter((each) => each.id !== id || each.state === "sent"));
}

/** Whoever is about to press “Undo” isn't hurried. */
export function hold(id: number): void {
  disarm(id);
}

export function release(id: number): void {
  if (pending.some((each) => each.id === id && each.state === "waiting")) arm(id);
}

/** Sends what waits: the page is closed, or its person signs out. */
export async function sendAll(): Promise<void> {
  await Promise.all(pending.filter(({ state }) => state === "waiting").map(({ id }) => send(id)));
}

/** Somebody else has deleted it first: what was wanted is so. */
export async function orGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
  }
}

export function usePending(): readonly Pending[] {
  return useSyncExternalStore(subscribe, () => pending);
}

/** Ids that are deleted, or will be in a moment. */
export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden);
}

async function send(id: number): Promise<void> {
  const deletion = pending.find((each) => each.id === id);
  if (deletion?.state !== "waiting") return;
  disarm(id);
  put({ ...deletion, state: "sent" });
  try {
    await deletion.send();
  } catch (error) {
    put({ ...deletion, state: "failed", error });
    await deletion.settle().catch(() => undefined); // of several, some may be gone
    return;
  }
  await deletion.settle().catch(() => undefined); // shown by whoever asks for it again
  change(pending.filter((each) => each.id !== id));
}

function arm(id: number): void {
  disarm(id);
  timers.set(
    id,
    setTimeout(() => void send(id), UNDO_MS),
  );
}

function disarm(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

function put(deletion: Pending): void {
  change(pending.map((each) => (each.id === deletion.id ? deletion : each)));
}

function change(next: readonly Pending[]): void {
  pending = next;
  hidden = new Set(next.filter(({ state }) => state !== "failed").flatMap(({ hides }) => hides));
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
