/** The whole session on one line of time; wheel, drag, pinch and keys lead down to single milliseconds. */
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { offsetOf } from "../../sessions/groups";
import { at, type Line, type Stretch } from "../../sessions/stretches";
import { useKeys } from "../../shortcuts";
import { useTheme } from "../../theme";
import { Button } from "../../ui/button";
import { useDates, type Dates } from "../../ui/dates";
import { inWords } from "../../ui/durations";
import { useWidth } from "../../ui/width";
import { draw, STRIP_HEIGHT } from "./drawing";
import { useGestures } from "./gestures";
import { Overview } from "./overview";
import { around, isWhole, pan, ticks, within, zoom, type View } from "./view";

interface Props {
  readonly line: Line;
  readonly hues: ReadonlyMap<string, number>;
  readonly pointed: string | null;
  /** What the strip is to show closely, each time anew. */
  readonly aimed: Stretch | null;
  readonly choose: (key: string) => void;
}

const STEP = 1.6;
const LABEL_PX = 96;

export function Strip({ line, hues, pointed, aimed, choose }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(place);
  const theme = useTheme();
  const whole: View = { from: line.from, to: line.to };
  // Null: all of it, however long it grows.
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen === null ? whole : within(chosen, whole);
  const look = (wanted: View) => {
    setChosen(isWhole(wanted, whole) ? null : wanted);
  };
  const [hovered, setHovered] = useState<{ readonly x: number; readonly stretch: Stretch } | null>(null);
  const isDark = useIsDark(theme);
  const [seen, setSeen] = useState<Stretch | null>(null);
  if (aimed !== seen) {
    setSeen(aimed);
    if (aimed) look(around(aimed.from, aimed.to, whole));
  }
  useEffect(() => {
    if (!aimed) return;
    place.current?.scrollIntoView({ block: "center" });
    place.current?.focus({ preventScroll: true }); // the row is out of sight now, and arrow keys lead on from here
  }, [aimed]);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) draw(context, { line, hues, view, width, pointed, isDark });
  });

  const middle = (view.from + view.to) / 2;
  const move = (share: number) => {
    look(pan(view, whole, (view.to - view.from) * share));
  };
  const scale = (factor: number, around = middle) => {
    look(zoom(view, whole, around, factor));
  };
  useKeys({
    "+": () => {
      scale(1 / STEP);
    },
    "=": () => {
      scale(1 / STEP);
    },
    "-": () => {
      scale(STEP);
    },
    "0": () => {
      setChosen(null);
    },
  });
  const gestures = useGestures(canvas, { view, whole, width, look });
  const range = { from: dates.exact(view.from), to: dates.exact(view.to) };
  return (
    <section
      className="panel strip"
      aria-label={t("strip.label", { from: dates.clock(line.from), to: dates.clock(line.to) })}
    >
      <div className="strip-head">
        <p className="strip-range figures" aria-live="polite">
          {t("strip.range", { ...range, length: inWords(view.to - view.from, t) })}
        </p>
        <div className="strip-buttons">
          <Button
            aria-label={t("strip.out")}
            onClick={() => {
              scale(STEP);
            }}
          >
            −
          </Button>
          <Button
            aria-label={t("strip.in")}
            onClick={() => {
              scale(1 / STEP);
            }}
          >
            +
          </Button>
          <Button
            onClick={() => {
              setChosen(null);
            }}
          >
            {t("strip.fit")}
          </Button>
        </div>
      </div>
      <div
        ref={place}
        className="strip-place"
        tabIndex={0}
        role="group"
        aria-label={t("strip.help")}
        onKeyDown={(event) => {
          if (event.key === "ArrowLeft") move(-0.15);
          else if (event.key === "ArrowRight") move(0.15);
          else if (event.key === "Home") look(pan(view, whole, whole.from - view.from));
          else if (event.key === "End") look(pan(view, whole, whole.to - view.to));
          else return;
          event.preventDefault();
        }}
        onPointerMove={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
          const moment = view.from + (x / width) * (view.to - view.from);
          const stretch = nearest(line, moment, (3 * (view.to - view.from)) / width);
          setHovered(stretch ? { x, stretch } : null);
        }}
        onPointerLeave={() => {
          setHovered(null);
        }}
        onClick={() => {
          if (!gestures.wasDragged() && hovered) choose(keyOf(hovered.stretch));
        }}
      >
        <canvas ref={canvas} style={{ width, height: STRIP_HEIGHT }} />
        <Axis view={view} width={width} dates={dates} />
        {hovered && <Told {...hovered} width={width} dates={dates} />}
      </div>
      <Overview line={line} hues={hues} view={view} width={width} look={look} isDark={isDark} />
      <Kinds line={line} />
    </section>
  );
}

export function keyOf(stretch: Stretch): string {
  return stretch.visit?.id ?? `${stretch.kind} ${stretch.from}`;
}

/** What is pointed at, or lies so near that a finger means it: a switch of 100 ms is thinner than a pixel. */
function nearest(line: Line, moment: number, slack: number): Stretch | null {
  const found = at(line.stretches, moment);
  if (found && found.to - found.from < slack * 4) return found;
  const shorter = [at(line.stretches, moment - slack), at(line.stretches, moment + slack)]
    .filter((each) => each !== null)
    .sort((one, other) => one.to - one.from - (other.to - other.from))[0];
  return shorter && shorter.to - shorter.from < slack * 2 ? shorter : found;
}

function Axis({
  view,
  width,
  dates,
}: {
  readonly view: View;
  readonly width: number;
  readonly dates: Dates;
}) {
  const ahead = offsetOf(view.from, useMe().settings.timezone);
  const { step, at: moments } = ticks(view, Math.max(2, Math.floor(width / LABEL_PX)), ahead);
  const name = step < 1_000 ? dates.exact : step < 60_000 ? dates.clock : dates.time;
  return (
    <div className="strip-axis figures" aria-hidden="true">
      {moments.map((moment) => (
        <span key={moment} style={{ left: ((moment - view.from) / (view.to - view.from)) * width }}>
          {name(moment)}
        </span>
      ))}
    </div>
  );
}

interface ToldProps {
  readonly x: number;
  readonly stretch: Stretch;
  readonly width: number;
  readonly dates: Dates;
}

function Told({ x, stretch, width, dates }: ToldProps) {
  const { t } = useTranslation();
  const { visit, kind, from, to } = stretch;
  const style: CSSProperties = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div className="told figures" style={style}>
      <strong>
        <bdi>{visit ? (visit.title ?? visit.url).slice(0, 120) : t(`kinds.${kind}`)}</bdi>
      </strong>
      {visit && <bdi>{visit.domain}</bdi>}
      <span>
        {dates.exact(from)} · {inWords(to - from, t)}
      </span>
    </div>
  );
}

const KINDS = ["focused", "unfocused", "idle", "asleep", "no_page"] as const;

function Kinds({ line }: { readonly line: Line }) {
  const { t } = useTranslation();
  const there = new Set(line.stretches.map(({ kind }) => kind));
  const shown = KINDS.filter((kind) => there.has(kind));
  return (
    <ul className="kinds" aria-label={t("strip.legend")}>
      {shown.map((kind) => (
        <li key={kind}>
          <span className="pause-mark" data-kind={kind} aria-hidden="true" />
          {t(`kinds.${kind}`)}
        </li>
      ))}
    </ul>
  );
}

/** A canvas has no style sheet: it has to be told, and drawn anew when the system changes its mind. */
function useIsDark(theme: "system" | "light" | "dark"): boolean {
  const [systemIsDark, setSystemIsDark] = useState(false);
  useEffect(() => {
    if (typeof matchMedia !== "function") return;
    const query = matchMedia("(prefers-color-scheme: dark)");
    const listen = () => {
      setSystemIsDark(query.matches);
    };
    listen();
    query.addEventListener("change", listen);
    return () => {
      query.removeEventListener("change", listen);
    };
  }, []);
  return theme === "system" ? systemIsDark : theme === "dark";
}
