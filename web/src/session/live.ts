/** A session while it goes on, by server-sent events. */
import { SILENCE_MS } from "@mindhit/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { watchStream } from "../api/stream";
import { detailQuery, listKey, newestQuery, type Progress, type Summary } from "./api";

/** A browser has six connections to a server, for all its tabs: what is not watched is asked for now and then. */
const MOST_STREAMS = 2;
const ASK_MS = 10_000;
let streams = 0;

export function isOngoing(session: Pick<Summary, "status">): boolean {
  return session.status === "recording" || session.status === "processing";
}

/** What is heard of a session; `ended` is called when there will be no more. */
export function watch(
  id: string,
  heard: (progress: Progress) => void,
  ended: () => void,
  cut?: () => void,
): () => void {
  return watchStream(`/v1/sessions/${encodeURIComponent(id)}/progress`, heard, ended, cut);
}

/** The newest word on a session that goes on; null before the first one, and of one that is over. */
export function useProgress(session: Pick<Summary, "id" | "status"> | undefined): Progress | null {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const id = session?.id;
  const isOn = session !== undefined && isOngoing(session);
  const isSeen = useSeen();
  useEffect(() => {
    if (id === undefined || !isOn || !isSeen) return;
    if (streams >= MOST_STREAMS) {
      const asking = setInterval(() => void queries.invalidateQueries({ queryKey: listKey }), ASK_MS);
      return () => {
        clearInterval(asking);
      };
    }
    streams += 1;
    const stop = watch(id, setProgress, () => {
      void queries.invalidateQueries({ queryKey: listKey });
      void queries.invalidateQueries({ queryKey: newestQuery.queryKey });
      void queries.invalidateQueries({ queryKey: detailQuery(id).queryKey });
      void queries.invalidateQueries({ queryKey: ["mine", "days"] });
    });
    return () => {
      streams -= 1;
      stop();
      setProgress(null);
    };
  }, [id, isOn, isSeen, queries]);
  return progress?.id === id ? progress : null;
}

/** Is this tab one that somebody can see? */
function useSeen(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener("visibilitychange", changed);
      return () => {
        document.removeEventListener("visibilitychange", changed);
      };
    },
    () => document.visibilityState !== "hidden",
  );
}

/** The time, every second while it is wanted. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const ticker = setInterval(() => {
      setNow(Date.now());
    }, 1_000);
    return () => {
      clearInterval(ticker);
    };
  }, [isTicking]);
  return now;
}

/** Visits that have ended, and the one that has not. */
export function focusedMs(session: Summary, progress: Progress | null, now: number): number {
  if (progress === null) return session.total_duration_ms;
  const page = progress.status === "recording" ? progress.page_now : null;
  const running = page?.is_focused ? Math.max(0, heardUntil(progress, now) - Date.parse(page.entered_at)) : 0;
  return progress.total_duration_ms + running;
}

/** Now; of a browser that is silent, when it was last heard: nobody knows whether its page is still being read. */
export function heardUntil(session: Summary, now: number): number {
  const silent = silentSince(session, now);
  return silent === null ? now : Date.parse(silent);
}

/** A browser that records says something every minute; after three it sleeps, is closed, or cannot reach us. */
export function silentSince(session: Summary, now: number): string | null {
  if (session.status !== "recording") return null;
  const last = session.last_event_at ?? session.started_at;
  return now - Date.parse(last) > SILENCE_MS ? last : null;
}

/** Calls `act` when `value` changes, but not more often than this. */
export function useThrottled(value: unknown, ms: number, act: () => void): void {
  const latest = useRef(act);
  const last = useRef(0);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (value === undefined || value === null) return;
    const wait = Math.max(0, last.current + ms - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      latest.current();
    }, wait);
    return () => {
      clearTimeout(timer);
    };
  }, [value, ms]);
}
