/** The week as bars, drawn in true pixels; the table below says the same in words. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../ui/time/dates";
import { inHours } from "../../ui/time/durations";
import { ChartDay, Piece, type ChartProps } from "./chart-day";
import { linesOf, type Part } from "./chart-data";
import styles from "./charts.module.css";

const HEIGHT = 420;
const HEIGHT_PHONE = 240;
const PHONE_WIDTH = 480;
const FOOT = 44;
const HEAD = 26;
const AXIS = 54;

export function WeekChart({ shares, width, today, chosen, choose, ...colors }: ChartProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const most = Math.max(...shares.days.map((day) => day.total), 60_000);
  const lines = linesOf(most);
  const top = lines.at(-1) ?? most;
  const whole = width < PHONE_WIDTH ? HEIGHT_PHONE : HEIGHT;
  const height = whole - HEAD - FOOT;
  const y = (ms: number) => HEAD + height - (ms / top) * height;
  const column = (width - AXIS) / shares.days.length;
  const bar = Math.min(column * 0.6, 56);
  return (
    <svg
      className={styles["chart"]}
      width={width}
      height={whole}
      role="img"
      aria-label={t("overview.time.chart")}
    >
      <Grid lines={lines} width={width} y={y} />
      {shares.days.map((day, index) => {
        const middle = AXIS + column * (index + 0.5);
        return (
          <ChartDay key={day.date} day={day} chosen={chosen} choose={choose}>
            <rect
              className={styles["day-background"]}
              x={AXIS + column * index}
              y={0}
              width={column}
              height={whole}
              rx={6}
            />
            <Bar parts={day.parts} x={middle - bar / 2} width={bar} y={y} {...colors} />
            {day.total >= 60_000 && (
              <text className={styles["sum"]} x={middle} y={y(day.total) - 8} textAnchor="middle">
                {column > 60 ? inHours(day.total, t) : ""}
              </text>
            )}
            <text
              className={styles["weekday"]}
              data-today={day.date === today}
              x={middle}
              y={whole - 24}
              textAnchor="middle"
            >
              {names.format(new Date(`${day.date}T12:00:00Z`))}
            </text>
            <text x={middle} y={whole - 6} textAnchor="middle">
              {Number(day.date.slice(8))}
            </text>
          </ChartDay>
        );
      })}
    </svg>
  );
}

interface GridProps {
  readonly lines: readonly number[];
  readonly width: number;
  readonly y: (ms: number) => number;
}

function Grid({ lines, width, y }: GridProps) {
  const { t } = useTranslation();
  return [0, ...lines].map((line) => (
    <g key={line}>
      <line
        className={styles["grid"]}
        x1={AXIS}
        x2={width}
        y1={y(line) + 0.5}
        y2={y(line) + 0.5}
        data-base={line === 0}
      />
      {line > 0 && (
        <text x={AXIS - 8} y={y(line) + 4} textAnchor="end">
          {inHours(line, t)}
        </text>
      )}
    </g>
  ));
}

interface BarProps extends Pick<ChartProps, "hues" | "active" | "hover"> {
  readonly parts: readonly Part[];
  readonly x: number;
  readonly width: number;
  readonly y: (ms: number) => number;
}

/** The busiest domain at the bottom, the corners of the whole bar rounded. */
function Bar({ parts, x, width, y, ...colors }: BarProps) {
  const id = useId();
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  if (total === 0) return null;
  const tops = parts.map((_, index) => parts.slice(0, index + 1).reduce((sum, { ms }) => sum + ms, 0));
  const radius = Math.min(6, (y(0) - y(total)) / 2);
  return (
    <>
      <clipPath id={id}>
        <rect x={x} y={y(total)} width={width} height={y(0) - y(total) + radius} rx={radius} />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        {parts.map((part, index) => {
          const upper = y(tops[index] ?? 0);
          const lower = y((tops[index] ?? 0) - part.ms);
          return (
            <Piece key={part.domain ?? ""} part={part} {...colors}>
              <rect
                x={x}
                y={upper}
                width={width}
                height={Math.max(lower - upper - (lower - upper > 4 ? 1.5 : 0), 1)}
              />
            </Piece>
          );
        })}
      </g>
    </>
  );
}
