/** The week as bars, drawn in true pixels; the table below says the same in words. */
import { useId } from "react";
import { useTranslation } from "../../i18n/translation";
import { useLocale } from "../../ui/time/dates";
import { ofMinutes } from "../../ui/time/durations";
import { ChartDay, Piece, type ChartProps } from "./chart-day";
import { labelWidth, linesOf, lineUnit, type Part } from "./chart-data";
import styles from "./charts.module.css";

const HEIGHT = 268;
const HEIGHT_PHONE = 158;
const PHONE_WIDTH = 480;
const FOOT = 44;
const HEAD = 24;
const HEAD_PHONE = 10;
/** From this width of a day on, its sum stands above its bar. */
const ROOMY_DAY = 60;
const BESIDE_AXIS = 10;

export function WeekChart({ shares, width, today, chosen, choose, ...colors }: ChartProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const most = Math.max(...shares.days.map((day) => day.total), 60_000);
  const lines = linesOf(most);
  const top = lines.at(-1) ?? most;
  const labels = useLabels(lines, top);
  const axis = Math.ceil(Math.max(...labels.map(labelWidth)) * rootScale()) + BESIDE_AXIS;
  const whole = width < PHONE_WIDTH ? HEIGHT_PHONE : HEIGHT;
  const column = (width - axis) / shares.days.length;
  const hasSums = column > ROOMY_DAY;
  const head = hasSums ? HEAD : HEAD_PHONE;
  const height = whole - head - FOOT;
  const y = (ms: number) => head + height - (ms / top) * height;
  const bar = Math.min(column * 0.6, 56);
  return (
    <svg
      className={styles["chart"]}
      width={width}
      height={whole}
      role="img"
      aria-label={t("overview.time.chart")}
    >
      <Grid lines={lines} labels={labels} axis={axis} width={width} y={y} />
      {shares.days.map((day, index) => {
        const middle = axis + column * (index + 0.5);
        return (
          <ChartDay key={day.date} day={day} chosen={chosen} choose={choose}>
            <rect
              className={styles["day-background"]}
              x={axis + column * index}
              y={0}
              width={column}
              height={whole}
              rx={6}
            />
            <Bar parts={day.parts} x={middle - bar / 2} width={bar} y={y} {...colors} />
            {day.total > 0 && hasSums && (
              <text className={styles["sum"]} x={middle} y={y(day.total) - 8} textAnchor="middle">
                {ofMinutes(day.minutes, day.total, t)}
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

/** Beside each line, its time: the same unit for all of them. */
function useLabels(lines: readonly number[], top: number): readonly string[] {
  const { t } = useTranslation();
  const numbers = new Intl.NumberFormat(useLocale(), { maximumFractionDigits: 1 });
  return lines.map((line) => {
    const { unit, n } = lineUnit(line, top);
    return t(`ui.duration.${unit}`, { n: numbers.format(n) });
  });
}

/** Texts grow with the browser's font size, and what is beside them has to. */
function rootScale(): number {
  return (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;
}

interface GridProps {
  readonly lines: readonly number[];
  readonly labels: readonly string[];
  readonly axis: number;
  readonly width: number;
  readonly y: (ms: number) => number;
}

function Grid({ lines, labels, axis, width, y }: GridProps) {
  return [0, ...lines].map((line, n) => (
    <g key={line}>
      <line
        className={styles["grid"]}
        x1={axis}
        x2={width}
        y1={y(line) + 0.5}
        y2={y(line) + 0.5}
        data-base={line === 0}
      />
      {line > 0 && (
        <text x={axis - 8} y={y(line) + 4} textAnchor="end">
          {labels[n - 1]}
        </text>
      )}
    </g>
  ));
}

interface BarProps extends Pick<ChartProps, "active" | "hover"> {
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
