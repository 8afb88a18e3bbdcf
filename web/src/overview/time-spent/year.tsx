/** A year as a calendar heat map: a column for each week. Arrow keys go from day to day; the table below says the same. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "../../i18n/translation";
import { useMe } from "../../account/me";
import { useWidth } from "../../ui/hooks/use-width";
import { Trouble } from "../../ui/notice";
import { roundParts } from "../../ui/time/adding-up";
import { useLocale } from "../../ui/time/dates";
import { inHours, MINUTE } from "../../ui/time/durations";
import { useFilterParams } from "../filter-params";
import { DAYS, firstOf } from "../time-range";
import type { Shares } from "./chart-data";
import { Ranking } from "./ranking";
import { dayOf, shownYearQuery, Total, useChooseDay, type By } from "./time-spent";
import { TimeTable } from "./time-table";
import { dayByKey, heatOf, LEVELS, monthsOf, type HeatDay } from "./year-data";
import page from "./time-spent.module.css";
import styles from "./year.module.css";

const SMALLEST_CELL = 11;
const LARGEST_CELL = 17;
const GAP = 2;
const WEEKDAYS_WIDTH = 32;
const MONTHS_HEIGHT = 18;

export default function Year({ by }: { readonly by: By }) {
  const { settings } = useMe();
  const { params } = useFilterParams();
  const choose = useChooseDay();
  const today = dayOf("", settings.timezone, "year");
  const last = dayOf(params.at, settings.timezone, "year");
  const first = firstOf("year", last);
  const { data, error, refetch } = useQuery(shownYearQuery(params.at, settings.timezone));
  const days = useMemo(() => data && heatOf(first, DAYS.year, data.days), [data, first]);
  const shares = useMemo(() => sharesOf(days ?? []), [days]);
  return (
    <div className={styles["body"]}>
      <div className={page["chart"]}>
        {error && <Trouble error={error} retry={refetch} />}
        {days && <HeatMap days={days} today={today} chosen={params.day} choose={choose} />}
      </div>
      <div className={styles["words"]}>
        {days && <Total shares={shares} />}
        <Ranking by={by === "topic" ? "topic" : "domain"} first={first} last={last} />
      </div>
      {shares.total > 0 && <TimeTable shares={shares} choose={choose} />}
    </div>
  );
}

/** For what the charts of shorter times share: without sites. */
function sharesOf(days: readonly HeatDay[]): Shares {
  const minutes = roundParts(
    days.map(({ ms }) => ms),
    MINUTE,
  );
  return {
    total: days.reduce((sum, { ms }) => sum + ms, 0),
    busyDays: days.filter(({ ms }) => ms > 0).length,
    parts: [],
    days: days.map(({ date, ms }, n) => ({ date, total: ms, minutes: minutes[n] ?? 0, parts: [] })),
  };
}

interface HeatMapProps {
  readonly days: readonly HeatDay[];
  readonly today: string;
  readonly chosen: string;
  readonly choose: (date: string) => void;
}

function HeatMap({ days, today, chosen, choose }: HeatMapProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const grid = useRef<SVGSVGElement>(null);
  const width = useWidth(area);
  const columns = (days.at(-1)?.column ?? 0) + 1;
  const room = Math.floor((width - WEEKDAYS_WIDTH) / columns);
  const cell = Math.min(Math.max(room, SMALLEST_CELL), LARGEST_CELL);
  const [active, setActive] = useActive(days, chosen, grid);
  useLayoutEffect(() => {
    // The newest days are what one looks for first.
    if (area.current) area.current.scrollLeft = area.current.scrollWidth;
  }, [cell, days]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = dayByKey(days, active, event.key);
    if (to !== null) setActive(to);
    else if (event.key === "Enter" || event.key === " ") chooseIfBusy(days, active, choose);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div ref={area} className={styles["scroller"]}>
        <svg
          ref={grid}
          className={styles["year"]}
          width={WEEKDAYS_WIDTH + columns * cell}
          height={MONTHS_HEIGHT + 7 * cell}
          role="grid"
          aria-label={t("overview.time.calendar")}
          aria-readonly="true"
          onKeyDown={onKeyDown}
        >
          <Labels days={days} cell={cell} />
          {WEEKDAYS.map((row) => (
            <g key={row} role="row">
              {days
                .filter((day) => day.row === row)
                .map((day) => (
                  <Cell
                    key={day.date}
                    day={day}
                    size={cell}
                    isToday={day.date === today}
                    isChosen={day.date === chosen}
                    isActive={day.date === active}
                    choose={() => {
                      chooseIfBusy(days, day.date, choose);
                    }}
                  />
                ))}
            </g>
          ))}
        </svg>
      </div>
      <p className={styles["scale"]} aria-hidden="true">
        {t("overview.time.less")}
        {LEVELS.map((level) => (
          <span key={level} data-level={level} />
        ))}
        {t("overview.time.more")}
      </p>
    </>
  );
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;

function chooseIfBusy(days: readonly HeatDay[], date: string, choose: (date: string) => void): void {
  if (days.some((day) => day.date === date && day.ms > 0)) choose(date);
}

/** The one day that Tab leads to; the focus follows it when it is moved by a key. */
function useActive(
  days: readonly HeatDay[],
  chosen: string,
  grid: React.RefObject<SVGSVGElement | null>,
): readonly [active: string, setActive: (date: string) => void] {
  const [moved, setMoved] = useState<string | null>(null);
  const has = (date: string | null) => days.some((day) => day.date === date);
  const newest = days.findLast(({ ms }) => ms > 0) ?? days.at(-1);
  const active = [moved, chosen].find((date) => date !== null && has(date)) ?? newest?.date ?? "";
  useEffect(() => {
    if (moved !== null) grid.current?.querySelector<SVGElement>(`[data-date="${moved}"]`)?.focus();
  }, [moved, grid]);
  return [active, setMoved];
}

interface CellProps {
  readonly day: HeatDay;
  readonly size: number;
  readonly isToday: boolean;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly choose: () => void;
}

function Cell({ day, size, isToday, isChosen, isActive, choose }: CellProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = useMemo(
    () => new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }),
    [locale],
  );
  const label = t("overview.time.calendarDay", {
    day: names.format(noon(day.date)),
    time: inHours(day.ms, t),
  });
  return (
    <rect
      role="gridcell"
      aria-label={label}
      aria-selected={isChosen}
      aria-disabled={day.ms === 0}
      tabIndex={isActive ? 0 : -1}
      data-date={day.date}
      data-level={day.level}
      data-today={isToday}
      x={WEEKDAYS_WIDTH + day.column * size}
      y={MONTHS_HEIGHT + day.row * size}
      width={size - GAP}
      height={size - GAP}
      rx={3}
      onClick={choose}
    >
      <title>{label}</title>
    </rect>
  );
}

/** Months above the weeks in which they begin, every other weekday beside its row. */
function Labels({ days, cell }: { readonly days: readonly HeatDay[]; readonly cell: number }) {
  const locale = useLocale();
  const months = new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" });
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  return (
    <g aria-hidden="true">
      {monthsOf(days).map(({ date, column }) => (
        <text key={date} x={WEEKDAYS_WIDTH + column * cell} y={12}>
          {months.format(noon(date))}
        </text>
      ))}
      {[0, 2, 4].map((row) => (
        <text key={row} x={0} y={MONTHS_HEIGHT + row * cell + cell - GAP - 1}>
          {weekdays.format(Date.UTC(2024, 0, 1 + row))}
        </text>
      ))}
    </g>
  );
}

function noon(date: string): Date {
  return new Date(`${date}T12:00:00Z`);
}
