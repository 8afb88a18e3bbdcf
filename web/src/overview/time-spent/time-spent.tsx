/** Where the time went: a chart, what its colours mean, and the same as a table. */
import { FIRST_DAY } from "@mindhit/client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useMe } from "../../account/me";
import { calendarQuery, daysQuery } from "../../session/api";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { useWidth } from "../../ui/hooks/use-width";
import { Trouble, Waiting } from "../../ui/notice";
import layout from "../../ui/styles/layout.module.css";
import switches from "../../ui/switch.module.css";
import { addDays, dateOf } from "../../ui/time/calendar";
import { useLocale } from "../../ui/time/dates";
import { inHours } from "../../ui/time/durations";
import { useFilterParams, type FilterParams } from "../filter-params";
import { DAYS, firstOf } from "../time-range";
import { sharesOf, type Shares } from "./chart-data";
import { Legend } from "./legend";
import { MonthChart } from "./month-chart";
import { Ranking } from "./ranking";
import { TimeTable } from "./time-table";
import styles from "./time-spent.module.css";
import { WeekChart } from "./week-chart";

type View = FilterParams["view"];
const BY = ["site", "topic"] as const;
export type By = (typeof BY)[number];

const Year = lazy(() => import("./year"));

export function TimeSpent() {
  const { t } = useTranslation();
  const { params, change } = useFilterParams();
  const { view } = params;
  const [by, setBy] = useState<By>("site");
  return (
    <section className={classes(layout["panel"], styles["panel"])} aria-labelledby="time-title">
      <div className={styles["head"]}>
        <h2 id="time-title">{t("overview.time.title")}</h2>
        <div className={switches["switch"]} role="group" aria-label={t("overview.time.by")}>
          {BY.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={by === each}
              onClick={() => {
                setBy(each);
              }}
            >
              {t(`overview.time.bys.${each}`)}
            </button>
          ))}
        </div>
        <div className={switches["switch"]} role="group" aria-label={t("overview.time.view")}>
          {(["week", "month", "year"] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={view === each}
              onClick={() => {
                change({ view: each, at: "" });
              }}
            >
              {t(`overview.time.views.${each}`)}
            </button>
          ))}
        </div>
        <Stepper />
      </div>
      {view === "year" ? (
        <Suspense fallback={<Waiting />}>
          <Year by={by} />
        </Suspense>
      ) : (
        <Days view={view} by={by} />
      )}
    </section>
  );
}

function Days({ view, by }: { readonly view: Exclude<View, "year">; readonly by: By }) {
  const { settings } = useMe();
  const { params } = useFilterParams();
  const { data, error, refetch } = useQuery(shownDaysQuery({ view, at: params.at }, settings.timezone));
  const shares = useMemo(() => sharesOf(data?.days ?? []), [data]);
  return (
    <>
      {error && <Trouble error={error} retry={refetch} />}
      <Chart view={view} by={by} shares={shares} isLoaded={data !== undefined} />
    </>
  );
}

/** A week, a month or a year earlier or later. */
function Stepper() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const { params, change } = useFilterParams();
  const today = dateOf(new Date(), settings.timezone);
  const last = dayOf(params.at, settings.timezone, params.view);
  const go = (by: -1 | 1) => {
    const to = addDays(last, by * DAYS[params.view]);
    change({ at: to >= today ? "" : to });
  };
  return (
    <div className={styles["stepper"]}>
      <Button
        look="quiet"
        aria-label={t("overview.time.before")}
        isDisabled={firstOf(clampedTo(params.view), last) <= FIRST_DAY}
        onClick={() => {
          go(-1);
        }}
      >
        ←
      </Button>
      <Range view={params.view} from={firstOf(params.view, last)} to={last} today={today} />
      <Button
        look="quiet"
        aria-label={t("overview.time.after")}
        isDisabled={last >= today}
        onClick={() => {
          go(1);
        }}
      >
        →
      </Button>
    </div>
  );
}

interface ChartProps {
  readonly view: Exclude<View, "year">;
  readonly by: By;
  readonly shares: Shares;
  readonly isLoaded: boolean;
}

function Chart({ view, by, shares, isLoaded }: ChartProps) {
  const { settings } = useMe();
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [active, hover] = useState<string | null>(null);
  const { params } = useFilterParams();
  const choose = useChooseDay();
  const DaysChart = view === "week" ? WeekChart : MonthChart;
  const colors = { active, hover };
  return (
    <div className={styles["body"]}>
      <div ref={area} className={styles["chart"]}>
        {isLoaded && (
          <DaysChart
            shares={shares}
            width={width}
            today={dateOf(new Date(), settings.timezone)}
            chosen={params.day}
            choose={choose}
            {...colors}
          />
        )}
      </div>
      <div className={styles["words"]}>
        {isLoaded && <Total shares={shares} />}
        {by === "site" ? (
          <Legend shares={shares} {...colors} />
        ) : (
          <Ranking
            by="topic"
            first={firstOf(view, dayOf(params.at, settings.timezone))}
            last={dayOf(params.at, settings.timezone)}
          />
        )}
      </div>
      {shares.total > 0 && <TimeTable shares={shares} choose={choose} />}
    </div>
  );
}

/** All of it, and how much that is a day. */
export function Total({ shares }: { readonly shares: Pick<Shares, "total" | "busyDays"> }) {
  const { t } = useTranslation();
  const { total, busyDays } = shares;
  return (
    <p className={classes(styles["total"], layout["figures"])}>
      <strong>{inHours(total, t)}</strong>
      {total === 0 ? (
        <span>{t("overview.time.none")}</span>
      ) : (
        <span>{t("overview.time.perDay", { time: inHours(total / busyDays, t) })}</span>
      )}
    </p>
  );
}

/** Lists the sessions of one day; choosing the same day again shows all days. */
export function useChooseDay(): (date: string) => void {
  const { params, change } = useFilterParams();
  return (date) => {
    change({ day: date === params.day ? "" : date, when: "any" });
  };
}

interface RangeProps {
  readonly view: View;
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

/** 10–16 Nov; with its year if that isn't the current one. A year is named by its months. */
function Range({ view, from, to, today }: RangeProps) {
  const locale = useLocale();
  const noon = (date: string) => new Date(`${date}T12:00:00Z`);
  const year = from.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric";
  const day = view === "year" ? undefined : "numeric";
  const days = new Intl.DateTimeFormat(locale, { day, month: "short", year, timeZone: "UTC" });
  return (
    <span className={styles["range"]} aria-live="polite">
      {days.formatRange(noon(from), noon(to))}
    </span>
  );
}

/** The last day of the chart: the one in the address, or today; never so early that its month or year would begin before FIRST_DAY. */
export function dayOf(asked: string, zone: string, view: View = "month"): string {
  const today = dateOf(new Date(), zone);
  const span = clampedTo(view);
  if (asked === "" || asked > today) return today;
  return firstOf(span, asked) < FIRST_DAY ? addDays(FIRST_DAY, DAYS[span] - 1) : asked;
}

/** Weeks and months go equally far back, so that one can switch between them. */
function clampedTo(view: View): "month" | "year" {
  return view === "year" ? "year" : "month";
}

/** What ends today is requested without dates, so that public/prefetch.js can request it before the time zone is known. */
export function shownDaysQuery(
  { view, at }: { readonly view: Exclude<View, "year">; readonly at: string },
  zone: string,
) {
  const day = dayOf(at, zone);
  return daysQuery(day === dayOf("", zone) ? undefined : firstOf(view, day), DAYS[view]);
}

export function shownYearQuery(at: string, zone: string) {
  const last = dayOf(at, zone, "year");
  return calendarQuery(last === dayOf("", zone, "year") ? undefined : firstOf("year", last), DAYS.year);
}
