/** Every visit and pause in order, with exact times. Thousands of rows; only those near the window are in the page. */
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Detail, Visit } from "../api";
import { RemindDialog } from "../../reminders/remind-dialog";
import { ForgetVisit } from "../../forget/forget-visit";
import { isOngoing } from "../live";
import { rowOf, type Item, type Period, type SessionTimeline } from "./periods";
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

export type Reveal = (period: Period) => void;

interface Props {
  readonly detail: Detail;
  readonly timeline: SessionTimeline;
  readonly revealRef: RefObject<Reveal | null>;
  readonly selected: string | null;
  readonly select: (key: string | null) => void;
  /** The visit that the pointer is on. */
  readonly hover: (visit: string | null) => void;
  readonly showOnStrip: (period: Period) => void;
}

export function Timeline({ detail, timeline, revealRef, selected, select, hover, showOnStrip }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { items, longest } = timeline;
  const [forgetting, setForgetting] = useState<Visit | null>(null);
  const [reminding, setReminding] = useState<Visit | null>(null);
  const heights = useMemo(() => items.map((item) => heightOf(item, isPhone)), [items, isPhone]);
  const { list, tops, range, reveal: show } = useWindowedRows(heights);
  useEffect(() => {
    revealRef.current = (period) => {
      const index = rowOf(items, period);
      if (index >= 0) show(index);
    };
  });
  useSteps(list, items, show, select);
  return (
    <div className={styles["timeline"]}>
      {timeline.folded > 0 && (
        <p className={styles["folded"]}>{t("session.timeline.folded", { count: timeline.folded })}</p>
      )}
      <ol
        ref={list}
        className={classes(styles["timeline-rows"], layout["figures"])}
        style={{ height: tops.at(-1) }}
        onPointerLeave={() => {
          hover(null);
        }}
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
                hover(item.is === "period" && item.period.visit !== null ? item.key : null);
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
                  longest={longest}
                  showOnStrip={showOnStrip}
                  forget={setForgetting}
                  remind={setReminding}
                />
              )}
            </li>
          );
        })}
      </ol>
      {reminding !== null && (
        <RemindDialog
          page={{ url: reminding.url, title: reminding.title }}
          close={() => {
            setReminding(null);
          }}
        />
      )}
      {forgetting !== null && (
        <ForgetVisit
          sessionId={detail.session.id}
          visit={forgetting}
          close={() => {
            setForgetting(null);
          }}
        />
      )}
    </div>
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
