/** Every visit and pause in order, with exact times. Thousands of rows; only those near the window are in the page. */
import { useEffect, useMemo, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Detail } from "../api";
import { isOngoing } from "../live";
import type { Item, SessionTimeline, Period } from "./periods";
import { size } from "../../ui/styles/tokens";
import { useKeys } from "../../app/shortcuts";
import { useIsPhone } from "../../ui/hooks/use-is-phone";
import { useWindowedRows } from "../../ui/hooks/use-windowed-rows";
import { HoleRow, HIGHLIGHTS_SHOWN, PauseRow, VisitRow } from "./rows";
import styles from "./timeline.module.css";
import layout from "../../ui/styles/layout.module.css";
import { classes } from "../../ui/classes";

const HEIGHTS = {
  visit: size("timeline-visit-height"),
  visitPhone: size("timeline-visit-height-phone"),
  pause: size("timeline-pause-height"),
  hole: size("timeline-hole-height"),
  holePhone: size("timeline-hole-height-phone"),
  highlight: size("timeline-highlight-height"),
} as const;

export type Reveal = (key: string) => void;

interface Props {
  readonly detail: Detail;
  readonly timeline: SessionTimeline;
  readonly hues: ReadonlyMap<string, number>;
  readonly revealRef: RefObject<Reveal | null>;
  readonly selected: string | null;
  readonly select: (key: string | null) => void;
  readonly showOnStrip: (period: Period) => void;
}

export function Timeline({ detail, timeline, hues, revealRef, selected, select, showOnStrip }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { items, longest } = timeline;
  const heights = useMemo(() => items.map((item) => heightOf(item, isPhone)), [items, isPhone]);
  const { list, tops, range, reveal: show } = useWindowedRows(heights);
  useEffect(() => {
    revealRef.current = (key) => {
      const index = items.findIndex((item) => item.key === key);
      if (index >= 0) show(index);
    };
  });
  useSteps(list, items, show, select);
  return (
    <section className={styles["timeline"]} aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t("session.timeline.title")}</h2>
      <ol
        ref={list}
        className={classes(styles["timeline-rows"], layout["figures"])}
        style={{ height: tops.at(-1) }}
      >
        {items.slice(range.first, range.end).map((item, offset) => {
          const index = range.first + offset;
          return (
            <li
              key={item.key}
              className={styles["timeline-row"]}
              data-index={index}
              data-selected={item.key === selected}
              tabIndex={-1}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ top: tops[index], height: heights[index] }}
              onPointerEnter={() => {
                select(item.key);
              }}
            >
              {item.is === "hole" ? (
                <HoleRow hole={item.hole} isAwaited={isOngoing(detail.session)} />
              ) : item.period.visit === null ? (
                <PauseRow period={item.period} longest={longest} showOnStrip={showOnStrip} />
              ) : (
                <VisitRow
                  period={item.period}
                  visit={item.period.visit}
                  hue={hues.get(item.period.visit.domain)}
                  longest={longest}
                  showOnStrip={showOnStrip}
                />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Rows are placed by script, so their heights are tokens that rows.module.css uses too. */
function heightOf(item: Item, isPhone: boolean): number {
  if (item.is === "hole") return isPhone ? HEIGHTS.holePhone : HEIGHTS.hole;
  const { visit, highlights } = item.period;
  if (visit === null) return HEIGHTS.pause;
  const shown = Math.min(highlights.length, HIGHLIGHTS_SHOWN);
  return (isPhone ? HEIGHTS.visitPhone : HEIGHTS.visit) + shown * HEIGHTS.highlight;
}

/** j and k go from row to row; a row that isn't in the page yet is scrolled to first. */
function useSteps(
  list: RefObject<HTMLElement | null>,
  items: readonly Item[],
  show: (index: number) => void,
  select: (key: string) => void,
): void {
  const at = useRef(-1);
  const step = (by: number) => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset["index"];
    const from = focused === undefined ? at.current : Number(focused);
    const index = Math.min(Math.max(from + by, 0), items.length - 1);
    at.current = index;
    show(index);
    select(items[index]?.key ?? "");
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
    });
  };
  useKeys({
    j: () => {
      step(1);
    },
    k: () => {
      step(-1);
    },
  });
}
