/** Every visit and pause in order, with exact times. Thousands of rows; only those near the window are in the page. */
import { useEffect, useMemo, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Detail } from "../../sessions/api";
import { isGoingOn } from "../../sessions/live";
import type { Item, Line, Stretch } from "../../sessions/stretches";
import { useKeys } from "../../shortcuts";
import { useIsNarrow } from "../../ui/narrow";
import { useWindowed } from "../../ui/windowing";
import { HoleRow, MARKS_SHOWN, PauseRow, VisitRow } from "./rows";

export type Reveal = (key: string) => void;

interface Props {
  readonly detail: Detail;
  readonly line: Line;
  readonly hues: ReadonlyMap<string, number>;
  readonly revealRef: RefObject<Reveal | null>;
  readonly pointed: string | null;
  readonly point: (key: string | null) => void;
  readonly aim: (stretch: Stretch) => void;
}

export function Timeline({ detail, line, hues, revealRef, pointed, point, aim }: Props) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { items, longest } = line;
  const heights = useMemo(() => items.map((item) => heightOf(item, isNarrow)), [items, isNarrow]);
  const { place, tops, range, reveal: show } = useWindowed(heights);
  useEffect(() => {
    revealRef.current = (key) => {
      const index = items.findIndex((item) => item.key === key);
      if (index >= 0) show(index);
    };
  });
  useSteps(items, show, point);
  return (
    <section className="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t("timeline.title")}</h2>
      <ol ref={place} className="timeline-rows figures" style={{ height: tops.at(-1) }}>
        {items.slice(range.first, range.end).map((item, offset) => {
          const index = range.first + offset;
          return (
            <li
              key={item.key}
              className="timeline-row"
              data-index={index}
              data-pointed={item.key === pointed}
              tabIndex={-1}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ top: tops[index], height: heights[index] }}
              onPointerEnter={() => {
                point(item.key);
              }}
            >
              {item.is === "hole" ? (
                <HoleRow hole={item.hole} isAwaited={isGoingOn(detail.session)} />
              ) : item.stretch.visit === null ? (
                <PauseRow stretch={item.stretch} longest={longest} aim={aim} />
              ) : (
                <VisitRow
                  stretch={item.stretch}
                  visit={item.stretch.visit}
                  hue={hues.get(item.stretch.visit.domain)}
                  longest={longest}
                  aim={aim}
                />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** As session.css draws them. */
function heightOf(item: Item, isNarrow: boolean): number {
  if (item.is === "hole") return isNarrow ? 96 : 72;
  if (item.stretch.visit === null) return 44;
  return (isNarrow ? 96 : 68) + Math.min(item.stretch.marks.length, MARKS_SHOWN) * 28;
}

/** j and k go from row to row; what is not in the page yet is brought there first. */
function useSteps(items: readonly Item[], show: (index: number) => void, point: (key: string) => void): void {
  const at = useRef(-1);
  const step = (by: number) => {
    const focused = document.activeElement?.closest<HTMLElement>(".timeline-row")?.dataset["index"];
    const index = Math.min(
      Math.max((focused === undefined ? at.current : Number(focused)) + by, 0),
      items.length - 1,
    );
    at.current = index;
    show(index);
    point(items[index]?.key ?? "");
    requestAnimationFrame(() => {
      document
        .querySelector<HTMLElement>(`.timeline-row[data-index="${index}"]`)
        ?.focus({ preventScroll: true });
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
