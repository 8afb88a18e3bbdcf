/** The week as bars, the month as a calendar of rings. Drawn in true pixels; the table beside them says the same in words. */
import { useId, type CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { weekdayOf } from "../../sessions/groups";
import { tint } from "../../sessions/mark";
import { useLocale } from "../../ui/dates";
import { inHours } from "../../ui/durations";
import { linesOf, ringOf, type Part, type Shares } from "./plot";

export interface PictureProps {
  readonly shares: Shares;
  readonly hues: ReadonlyMap<string, number>;
  readonly width: number;
  readonly today: string;
  /** The day whose sessions are listed, if it is only one. */
  readonly chosen: string;
  readonly choose: (date: string) => void;
  /** The site that is pointed at, if any; the others step back. */
  readonly active: string | null;
  readonly point: (domain: string | null) => void;
}

const WEEK_HEIGHT = 420;
const WEEK_HEIGHT_NARROW = 240;
const NARROW = 480;
const FOOT = 44;
const HEAD = 26;
const AXIS = 54;

export function WeekPicture({ shares, width, today, chosen, choose, ...colours }: PictureProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const most = Math.max(...shares.days.map((day) => day.total), 60_000);
  const lines = linesOf(most);
  const top = lines.at(-1) ?? most;
  const whole = width < NARROW ? WEEK_HEIGHT_NARROW : WEEK_HEIGHT;
  const height = whole - HEAD - FOOT;
  const y = (ms: number) => HEAD + height - (ms / top) * height;
  const column = (width - AXIS) / shares.days.length;
  const bar = Math.min(column * 0.6, 56);
  return (
    <svg className="picture" width={width} height={whole} role="img" aria-label={t("time.plot")}>
      {[0, ...lines].map((line) => (
        <g key={line}>
          <line
            className="grid"
            x1={AXIS}
            x2={width}
            y1={y(line) + 0.5}
            y2={y(line) + 0.5}
            data-base={line === 0}
          />
          {line > 0 && (
            <text className="axis" x={AXIS - 8} y={y(line) + 4} textAnchor="end">
              {inHours(line, t)}
            </text>
          )}
        </g>
      ))}
      {shares.days.map((day, index) => {
        const middle = AXIS + column * (index + 0.5);
        return (
          <DayPlace key={day.date} day={day} chosen={chosen} choose={choose}>
            <rect
              className="day-ground"
              x={AXIS + column * index}
              y={0}
              width={column}
              height={whole}
              rx={6}
            />
            <Bar parts={day.parts} x={middle - bar / 2} width={bar} y={y} {...colours} />
            {day.total >= 60_000 && (
              <text className="sum" x={middle} y={y(day.total) - 8} textAnchor="middle">
                {column > 60 ? inHours(day.total, t) : ""}
              </text>
            )}
            <text
              className="weekday"
              data-today={day.date === today}
              x={middle}
              y={whole - 24}
              textAnchor="middle"
            >
              {names.format(new Date(`${day.date}T12:00:00Z`))}
            </text>
            <text className="axis" x={middle} y={whole - 6} textAnchor="middle">
              {Number(day.date.slice(8))}
            </text>
          </DayPlace>
        );
      })}
    </svg>
  );
}

interface DayPlaceProps extends Pick<PictureProps, "chosen" | "choose"> {
  readonly day: Shares["days"][number];
  readonly transform?: string;
  readonly children: React.ReactNode;
}

/** A day that has something leads to its sessions; by keys the table beside does. */
function DayPlace({ day: { date, total }, chosen, choose, transform, children }: DayPlaceProps) {
  return (
    <g
      className="day"
      transform={transform}
      data-leads={total > 0}
      data-chosen={date === chosen}
      onClick={() => {
        if (total > 0) choose(date);
      }}
    >
      {children}
    </g>
  );
}

interface BarProps extends Pick<PictureProps, "hues" | "active" | "point"> {
  readonly parts: readonly Part[];
  readonly x: number;
  readonly width: number;
  readonly y: (ms: number) => number;
}

/** The busiest site at the bottom, the corners of the whole bar round. */
function Bar({ parts, x, width, y, ...colours }: BarProps) {
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
            <Piece key={part.domain ?? ""} part={part} {...colours}>
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

interface PieceProps extends Pick<PictureProps, "hues" | "active" | "point"> {
  readonly part: Part;
  readonly children: React.ReactNode;
}

function Piece({ part: { domain, ms }, hues, active, point, children }: PieceProps) {
  const { t } = useTranslation();
  return (
    <g
      className={domain === null ? "piece others" : "piece tinted"}
      style={domain === null ? undefined : tint(hues.get(domain) ?? 0)}
      data-back={active !== null && active !== domain}
      onPointerEnter={() => {
        point(domain);
      }}
      onPointerLeave={() => {
        point(null);
      }}
    >
      <title>{`${domain ?? t("time.other")}: ${inHours(ms, t)}`}</title>
      {children}
    </g>
  );
}

/** From here on a ring can hold its date, and one that cannot has room below it. */
const ROOMY = 80;
const SMALLEST = 2;

/**
 * The ring of a day. Its area tells the time, on one scale for the whole month: twice the time, twice the ring. Only what
 * would be too small to be seen is drawn larger than it is.
 */
function placeOf(share: number, cell: number) {
  const isRoomy = cell >= ROOMY;
  const largest = isRoomy ? cell * 0.44 : cell * 0.44 - 8;
  const radius = Math.max(Math.sqrt(share) * largest, SMALLEST);
  if (!isRoomy) return { radius, ringY: 8, dateY: 11 - cell * 0.44 };
  return radius * 0.5 <= 9 ? { radius, ringY: cell * 0.24, dateY: -4 } : { radius, ringY: 0, dateY: 4 };
}

/** Between the pieces of a ring, and around it: a pixel would cover a small one. */
function gapOf(radius: number): CSSProperties {
  return { "--gap": Math.min(1, radius / 20) } as CSSProperties;
}

export function MonthPicture({ shares, width, today, chosen, choose, ...colours }: PictureProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const cell = Math.min(width / 7, 86);
  const left = (width - cell * 7) / 2;
  const first = weekdayOf(shares.days[0]?.date ?? today);
  const rows = Math.ceil((first + shares.days.length) / 7);
  const most = Math.max(...shares.days.map((day) => day.total), 1);
  const height = cell * 0.94;
  return (
    <svg className="picture" width={width} height={rows * height + 26} role="img" aria-label={t("time.plot")}>
      {Array.from({ length: 7 }, (_, column) => (
        <text key={column} className="axis" x={left + cell * (column + 0.5)} y={14} textAnchor="middle">
          {names.format(Date.UTC(2024, 0, 1 + column))}
        </text>
      ))}
      {shares.days.map((day, index) => {
        const place = first + index;
        const x = left + cell * ((place % 7) + 0.5);
        const y = 26 + height * (Math.floor(place / 7) + 0.5);
        const { radius, ringY, dateY } = placeOf(day.total / most, cell);
        return (
          <DayPlace
            key={day.date}
            day={day}
            chosen={chosen}
            choose={choose}
            transform={`translate(${x} ${y})`}
          >
            <circle className="cell" r={cell * 0.44} data-today={day.date === today} />
            {day.total > 0 && (
              <g transform={`translate(0 ${ringY})`} style={gapOf(radius)}>
                {ringOf(day.parts, radius, radius * 0.5).map(({ path, ...part }) => (
                  <Piece key={part.domain ?? ""} part={part} {...colours}>
                    <path d={path} />
                  </Piece>
                ))}
              </g>
            )}
            <text
              className="date"
              data-empty={day.total === 0}
              data-today={day.date === today}
              textAnchor="middle"
              y={day.total > 0 ? dateY : 4}
            >
              {Number(day.date.slice(8))}
            </text>
          </DayPlace>
        );
      })}
    </svg>
  );
}
