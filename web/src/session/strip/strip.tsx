/** The whole session on one strip; wheel, drag, pinch and keys zoom down to single milliseconds. */
import { useEffect, useLayoutEffect, useRef, useState, type PointerEvent } from "react";
import { useTranslation } from "../../i18n/translation";
import { useKeys } from "../../app/shortcuts";
import { useIsDark } from "../../app/theme";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { useWidth } from "../../ui/hooks/use-width";
import layout from "../../ui/styles/layout.module.css";
import { useDates } from "../../ui/time/dates";
import { inWords } from "../../ui/time/durations";
import { at as periodAt, keyOf, type Period, type SessionTimeline } from "../timeline/periods";
import { Axis } from "./axis";
import { draw, STRIP_HEIGHT } from "./drawing";
import { useGestures } from "./gestures";
import { Legend } from "./legend";
import { Minimap } from "./minimap";
import styles from "./strip.module.css";
import { Tooltip, type Hovered } from "./tooltip";
import { panByKey } from "./keyboard";
import { around, isWhole, lookedAt, within, zoom, type View } from "./view";

interface Props {
  readonly timeline: SessionTimeline;
  readonly selected: string | null;
  /** The visits that are pointed at elsewhere: the others fade. */
  readonly lit?: ReadonlySet<string> | null;
  /** The visit that the pointer is on. */
  readonly hover?: (visit: string | null) => void;
  /** A period to zoom in on; a new object each time it is asked for. */
  readonly zoomTarget: Period | null;
  readonly choose: (period: Period) => void;
}

const ZOOM_STEP = 1.6;
/** Until it is known, nothing is drawn: the observer tells it before anything is painted. */
const WIDTH_BEFORE = typeof ResizeObserver === "undefined" ? 640 : 0;

export function Strip({ timeline, selected, lit = null, hover: tell, zoomTarget, choose }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(area, WIDTH_BEFORE);
  const isDark = useIsDark();
  const { view, whole, look } = useView(timeline, zoomTarget, area);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  // As a share of the width: the moment there changes when the view does.
  const [pointed, setPointed] = useState<number | null>(null);
  const pointedAt = pointed === null ? null : view.from + pointed * (view.to - view.from);
  const chosen = timeline.periods.find((period) => keyOf(period) === selected) ?? null;
  const { from, to } = view;
  useLayoutEffect(() => {
    if (width === 0) return;
    const context = canvas.current?.getContext("2d");
    if (context) draw(context, { timeline, view: { from, to }, width, selected, lit, isDark });
  }, [timeline, from, to, width, selected, lit, isDark]);
  const gestures = useGestures(canvas, { view, whole, width, look });
  const hover = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const moment = view.from + (x / width) * (view.to - view.from);
    const period = nearest(timeline, moment, (3 * (view.to - view.from)) / width);
    setPointed(x / width);
    setHovered(period ? { x, period } : null);
    tell?.(period?.visit?.id ?? null);
  };
  return (
    <section
      className={classes(layout["panel"], styles["strip"])}
      aria-label={t("session.strip.label", {
        from: dates.clock(timeline.from),
        to: dates.clock(timeline.to),
      })}
    >
      <Controls view={view} whole={whole} look={look} at={lookedAt(view, pointedAt, chosen)} />
      <div
        ref={area}
        className={styles["canvas-area"]}
        tabIndex={0}
        role="group"
        aria-label={t("session.strip.help")}
        onKeyDown={(event) => {
          panByKey(event, view, whole, look);
        }}
        onPointerMove={hover}
        onPointerLeave={() => {
          setPointed(null);
          setHovered(null);
          tell?.(null);
        }}
        onClick={() => {
          if (!gestures.wasDragged() && hovered) choose(hovered.period);
        }}
      >
        <canvas ref={canvas} style={{ width, height: STRIP_HEIGHT }} />
        <Axis view={view} width={width} />
        {hovered && <Tooltip {...hovered} width={width} />}
      </div>
      <Minimap timeline={timeline} view={view} width={width} look={look} isDark={isDark} />
      <Legend timeline={timeline} />
    </section>
  );
}

type Look = (view: View) => void;

/** Which part of the session is shown: all of it, until someone zooms in or asks for a period. */
function useView(
  timeline: SessionTimeline,
  zoomTarget: Period | null,
  area: React.RefObject<HTMLDivElement | null>,
): { readonly view: View; readonly whole: View; readonly look: Look } {
  const whole: View = { from: timeline.from, to: timeline.to };
  // Null: all of it, however long it grows.
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen === null ? whole : within(chosen, whole);
  const look = (wanted: View) => {
    setChosen(isWhole(wanted, whole) ? null : wanted);
  };
  const [seen, setSeen] = useState<Period | null>(null);
  if (zoomTarget !== seen) {
    setSeen(zoomTarget);
    if (zoomTarget) look(around(zoomTarget.from, zoomTarget.to, whole));
  }
  useEffect(() => {
    if (!zoomTarget) return;
    area.current?.scrollIntoView({ block: "center" });
    area.current?.focus({ preventScroll: true }); // its row is out of sight now, and the arrow keys work from here
  }, [zoomTarget, area]);
  return { view, whole, look };
}

interface ControlsProps {
  readonly view: View;
  readonly whole: View;
  readonly look: Look;
  /** The moment that stays in its place. */
  readonly at: number;
}

function Controls({ view, whole, look, at }: ControlsProps) {
  const { t } = useTranslation();
  const dates = useDates();
  const zoomBy = (factor: number) => () => {
    look(zoom(view, whole, at, factor));
  };
  const zoomIn = zoomBy(1 / ZOOM_STEP);
  const zoomOut = zoomBy(ZOOM_STEP);
  const showAll = () => {
    look(whole);
  };
  useKeys({ "+": zoomIn, "=": zoomIn, "-": zoomOut, "0": showAll });
  const name = dates.day(view.from) === dates.day(view.to) ? dates.exact : dates.dayAndTime;
  const range = { from: name(view.from), to: name(view.to) };
  return (
    <div className={styles["head"]}>
      <p className={classes(styles["range"], layout["figures"])} aria-live="polite">
        {t("session.strip.range", { ...range, length: inWords(view.to - view.from, t) })}
      </p>
      <div className={styles["buttons"]}>
        <Button aria-label={t("session.strip.out")} onClick={zoomOut}>
          −
        </Button>
        <Button aria-label={t("session.strip.in")} onClick={zoomIn}>
          +
        </Button>
        <Button onClick={showAll}>{t("session.strip.fit")}</Button>
      </div>
    </div>
  );
}

/** The period at the pointer, or a short one very near: a switch of 100 ms is thinner than a pixel. */
function nearest(timeline: SessionTimeline, moment: number, slack: number): Period | null {
  const found = periodAt(timeline.periods, moment);
  if (found && found.to - found.from < slack * 4) return found;
  const shorter = [periodAt(timeline.periods, moment - slack), periodAt(timeline.periods, moment + slack)]
    .filter((each) => each !== null)
    .sort((one, other) => one.to - one.from - (other.to - other.from))[0];
  return shorter && shorter.to - shorter.from < slack * 2 ? shorter : found;
}
