/** A session that was opened at one of its visits (`?visit=7`), from a search, shows that visit first. */
import { useEffect, useRef, type RefObject } from "react";
import { useLocation } from "../app/router";
import { keyOf, type SessionTimeline } from "./timeline/periods";
import type { Reveal } from "./timeline/timeline";

export function useOpenedAt(
  timeline: SessionTimeline,
  select: (key: string) => void,
  reveal: RefObject<Reveal | null>,
): void {
  const visit = useLocation().search.get("visit");
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (visit === null || shown.current === visit) return;
    const period = timeline.periods.find((each) => each.visit?.id.endsWith(`:${visit}`));
    if (!period) return;
    shown.current = visit; // a session that goes on is shown again with each event
    select(keyOf(period));
    reveal.current?.(period);
  }, [visit, timeline, select, reveal]);
}
