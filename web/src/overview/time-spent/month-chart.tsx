/** The month as a calendar of rings, drawn in true pixels; the table below says the same in words. */
import type { CSSProperties } from "react";
import { useTranslation } from "../../i18n/translation";
import { weekdayOf } from "../../ui/time/calendar";
import { useLocale } from "../../ui/time/dates";
import { ChartDay, Piece, type ChartProps } from "./chart-day";
import { ringOf } from "./chart-data";
import styles from "./charts.module.css";

const LARGEST_CELL = { width: 80, height: 48 } as const;
/** Cells at least this wide have the date beside the ring, narrower ones above it. */
const ROOMY_CELL = 64;
const SMALLEST_RING = 2;
const HEAD = 26;

export function MonthChart({ shares, width, today, chosen, choose, ...colors }: ChartProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const cell = Math.min(width / 7, LARGEST_CELL.width);
  const left = (width - cell * 7) / 2;
  const first = weekdayOf(shares.days[0]?.date ?? today);
  const rows = Math.ceil((first + shares.days.length) / 7);
  const most = Math.max(...shares.days.map((day) => day.total), 1);
  const height = Math.min(cell * 0.94, LARGEST_CELL.height);
  return (
    <svg
      className={styles["chart"]}
      width={width}
      height={rows * height + HEAD}
      role="img"
      aria-label={t("overview.time.chart")}
    >
      {Array.from({ length: 7 }, (_, column) => (
        <text key={column} x={left + cell * (column + 0.5)} y={14} textAnchor="middle">
          {names.format(Date.UTC(2024, 0, 1 + column))}
        </text>
      ))}
      {shares.days.map((day, index) => {
        const slot = first + index;
        const x = left + cell * ((slot % 7) + 0.5);
        const y = HEAD + height * (Math.floor(slot / 7) + 0.5);
        const { radius, ring, date } = ringLayout(day.total / most, cell, height);
        return (
          <ChartDay
            key={day.date}
            day={day}
            chosen={chosen}
            choose={choose}
            transform={`translate(${x} ${y})`}
          >
            <rect
              className={styles["cell"]}
              x={2 - cell / 2}
              y={2 - height / 2}
              width={cell - 4}
              height={height - 4}
              rx={8}
              data-today={day.date === today}
            />
            {day.total > 0 && (
              <g transform={`translate(${ring.x} ${ring.y})`} style={gapOf(radius)}>
                {ringOf(day.parts, radius, radius * 0.5).map(({ path, ...part }) => (
                  <Piece key={part.domain ?? ""} part={part} {...colors}>
                    <path d={path} />
                  </Piece>
                ))}
              </g>
            )}
            <text
              className={styles["date"]}
              data-empty={day.total === 0}
              data-today={day.date === today}
              textAnchor="middle"
              x={date.x}
              y={date.y}
            >
              {Number(day.date.slice(8))}
            </text>
          </ChartDay>
        );
      })}
    </svg>
  );
}

/**
 * The ring of a day. Its area shows the time, on one scale for the whole month: twice the time, twice the area. Only
 * rings that would be too small to see are drawn larger.
 */
function ringLayout(share: number, cell: number, height: number) {
  const isRoomy = cell >= ROOMY_CELL;
  const largest = isRoomy ? height / 2 - 4 : height / 2 - 9;
  const radius = Math.max(Math.sqrt(share) * largest, SMALLEST_RING);
  return isRoomy
    ? { radius, ring: { x: 12, y: 0 }, date: { x: 16 - cell / 2, y: 4 } }
    : { radius, ring: { x: 0, y: 7 }, date: { x: 0, y: 14 - height / 2 } };
}

/** The gap between the pieces of a ring: a whole pixel would cover a small one. */
function gapOf(radius: number): CSSProperties {
  return { "--gap": Math.min(1, radius / 20) } as CSSProperties;
}
