/** Every visit and pause in order, with exact times. Thousands of rows; only those near the window are in the page. */
import { memo, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useTranslation } from "../../i18n/translation";
import type { Detail, Visit } from "../api";
import { RemindDialog } from "../../reminders/remind-dialog";
import { ForgetVisit } from "../../forget/forget-visit";
import { isOngoing } from "../live";
import { rowOf, type Item, type Period, type SessionTimeline } from "./periods";
import { size } from "../../ui/styles/tokens";
import { useKeys } from "../../app/shortcuts";
import { useIsPhone } from "../../ui/hooks/use-is-phone";
import { useWindowedRows } from "../../ui/hooks/use-windowed-rows";
import { HoleRow, HIGHLIGHTS_SHOWN, PauseRow, SessionRow, VisitRow } from "./rows";
import styles from "./timeline.module.css";
import layout from "../../ui/styles/layout.module.css";
import { classes } from "../../ui/classes";

const HEIGHTS = {
  visit: size("timeline-visit-height"),
  visitPhone: size("timeline-visit-height-phone"),
  session: size("timeline-session-height"),
  pause: size("timeline-pause-height"),
  hole: size("timeline-hole-height"),
  holePhone: size("timeline-hole-height-phone"),
  highlight: size("timeline-highlight-height"),
} as const;

export type Reveal = (period: Period) => void;

interface Props {
  /** Without one, of several sessions together, nothing can be forgotten. */
  readonly detail?: Detail;
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
  const { list, height, rows, reveal: show } = useWindowedRows(heights);
  useEffect(() => {
    revealRef.current = (period) => {
      const index = rowOf(items, period);
      if (index >= 0) show(index);
    };
  });
  useSteps(list, items, show, select);
  const isAwaited = detail !== undefined && isOngoing(detail.session);
  return (
    <div className={styles["timeline"]}>
      {timeline.folded > 0 && (
        <p className={styles["folded"]}>{t("session.timeline.folded", { count: timeline.folded })}</p>
      )}
      <ol
        ref={list}
        className={classes(styles["timeline-rows"], layout["figures"])}
        data-forgettable={detail !== undefined}
        style={{ height }}
        onPointerLeave={() => {
          hover(null);
        }}
      >
        {rows.map(({ index, top }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <Row
              key={item.key}
              item={item}
              index={index}
              count={items.length}
              top={top}
              height={heights[index] ?? 0}
              isSelected={item.key === selected}
              isAwaited={isAwaited}
              longest={longest}
              select={select}
              hover={hover}
              showOnStrip={showOnStrip}
              forget={detail && setForgetting}
              remind={setReminding}
            />
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
      {forgetting !== null && detail && (
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

interface RowProps extends Pick<Props, "select" | "hover" | "showOnStrip"> {
  readonly item: Item;
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly height: number;
  readonly isSelected: boolean;
  readonly isAwaited: boolean;
  readonly longest: number;
  readonly forget: ((visit: Visit) => void) | undefined;
  readonly remind: (visit: Visit) => void;
}

/** While the list is scrolled only the rows that come in are rendered. */
const Row = memo(function Row(props: RowProps) {
  const { item, index, count, top, height, isSelected, isAwaited, longest } = props;
  const { select, hover, showOnStrip, forget, remind } = props;
  return (
    <li
      className={styles["timeline-row"]}
      data-index={index}
      data-selected={isSelected}
      tabIndex={-1}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ top, height }}
      onPointerEnter={() => {
        select(item.key);
        hover(item.is === "period" && item.period.visit !== null ? item.key : null);
      }}
    >
      {item.is === "session" ? (
        <SessionRow session={item.session} />
      ) : item.is === "hole" ? (
        <HoleRow hole={item.hole} isAwaited={isAwaited} />
      ) : item.period.visit === null ? (
        <PauseRow period={item.period} longest={longest} showOnStrip={showOnStrip} />
      ) : (
        <VisitRow
          period={item.period}
          visit={item.period.visit}
          longest={longest}
          showOnStrip={showOnStrip}
          forget={forget}
          remind={remind}
        />
      )}
    </li>
  );
});

/** Rows are placed by script, so their heights are tokens that rows.module.css uses too. */
function heightOf(item: Item, isPhone: boolean): number {
  if (item.is === "session") return HEIGHTS.session;
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
