/**
 * Can the server be reached? A request that fails reports it here. From then on the server is polled, less and less
 * often; when it answers, every query on the screen is fetched again. The page isn't reloaded and no input is lost.
 */
import { Problem } from "@mindhit/client";
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { readinessOf } from "./readiness";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;
const TIMEOUT_MS = 4_000;

const listeners = new Set<() => void>();
let isOffline = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let onReturn: () => void = () => undefined;

export function startOffline(queries: QueryClient): void {
  clearTimeout(timer);
  isOffline = false;
  onReturn = () => void queries.invalidateQueries();
}

/** Nothing answered, or only a proxy in front of a server that is down. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DOMException && error.name === "AbortError") return false;
  if (!(error instanceof Problem)) return error instanceof TypeError;
  return error.type === "about:blank" && error.status >= 502;
}

export function reportOffline(): void {
  if (isOffline) return;
  isOffline = true;
  notify();
  retryAfter(FIRST_RETRY_MS);
}

/** A connection closed, maybe in an orderly way: check the server before reporting it offline. */
export function checkOffline(): void {
  if (isOffline) return;
  void isReady().then((answers) => {
    if (!answers) reportOffline();
  });
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, () => isOffline);
}

export function retryNow(): void {
  if (isOffline) retryAfter(0);
}

function retryAfter(afterMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    void isReady().then((answers) => {
      if (!isOffline) return;
      if (!answers) {
        retryAfter(Math.min(Math.max(afterMs, FIRST_RETRY_MS) * 1.6, LONGEST_RETRY_MS));
        return;
      }
      isOffline = false;
      notify();
      onReturn();
    });
  }, afterMs);
}

async function isReady(): Promise<boolean> {
  try {
    return (
      readinessOf(await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })) ===
      "ready"
    );
  } catch {
    return false;
  }
}

function notify(): void {
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
