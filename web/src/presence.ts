/**
 * Is the server there? Whoever finds that it is not says so here; from then on it is asked for, ever less often, and
 * when it answers all that is on the screen is fetched anew. Nothing is reloaded, nothing typed is lost.
 */
import { Problem } from "@mindhit/client";
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { judge } from "./api";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;

const listeners = new Set<() => void>();
let isAway = false;
let waiting: ReturnType<typeof setTimeout> | undefined;
let onReturn: () => void = () => undefined;

export function watchPresence(queries: QueryClient): void {
  clearTimeout(waiting);
  isAway = false;
  onReturn = () => void queries.invalidateQueries();
}

/** Nothing answered, or a proxy did in the place of a server that is gone. */
export function isServerAway(error: unknown): boolean {
  if (error instanceof DOMException && error.name === "AbortError") return false;
  if (!(error instanceof Problem)) return error instanceof TypeError;
  return error.type === "about:blank" && error.status >= 502;
}

export function tellAway(): void {
  if (isAway) return;
  isAway = true;
  changed();
  askAgain(FIRST_MS);
}

/** Something broke off, which may have been in good order: the server is asked first. */
export function suspectAway(): void {
  if (isAway) return;
  void ask().then((answers) => {
    if (!answers) tellAway();
  });
}

export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway);
}

/** Somebody does not want to wait. */
export function askNow(): void {
  if (isAway) askAgain(0);
}

function askAgain(afterMs: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    void ask().then((answers) => {
      if (!isAway) return;
      if (!answers) {
        askAgain(Math.min(Math.max(afterMs, FIRST_MS) * 1.6, LONGEST_MS));
        return;
      }
      isAway = false;
      changed();
      onReturn();
    });
  }, afterMs);
}

async function ask(): Promise<boolean> {
  try {
    return (
      judge(await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(4_000) })) === "ready"
    );
  } catch {
    return false;
  }
}

function changed(): void {
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
