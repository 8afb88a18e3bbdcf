/** Where the time went: a chart, what its colours mean, and the same as a table. */
import { FIRST_DAY } from "@mindhit/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { daysQuery } from "../../session/api";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { useWidth } from "../../ui/hooks/use-width";
import { Trouble } from "../../ui/notice";
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
import { Topics } from "./topics";
import { TimeTable } from "./time-table";
import styles from "./time-spent.module.css";
import { WeekChart } from "./week-chart";

type View = FilterParams["view"];
const BY = ["site", "topic"] as const;
type By = (typeof BY)[number];

export function TimeSpent() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const { params, change } = useFilterParams();
  const { data, error, refetch } = useQuery(shownDaysQuery(params, settings.timezone));
  const shares = useMemo(() => sharesOf(data?.days ?? []), [data]);
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
          {(["week", "month"] as const).map((view) => (
            <button
              key={view}
              type="button"
              aria-pressed={params.view === view}
              onClick={() => {
                change({ view, at: "" });
              }}
            >
              {t(`overview.time.views.${view}`)}
            </button>
          ))}
        </div>
        <Stepper />
      </div>
      {error && <Trouble error={error} retry={refetch} />}
      <Chart view={params.view} by={by} shares={shares} isLoaded={data !== undefined} />
    </section>
  );
}

/** A week or a month earlier or later. */
function Stepper() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const { params, change } = useFilterParams();
  const today = dateOf(new Date(), settings.timezone);
  const last = dayOf(params.at, settings.timezone);
  const go = (by: -1 | 1) => {
    const to = addDays(last, by * DAYS[params.view]);
    change({ at: to >= today ? "" : to });
  };
  return (
    <div className={styles["stepper"]}>
      <Button
        look="quiet"
        aria-label={t("overview.time.before")}
        isDisabled={firstOf("month", last) <= FIRST_DAY}
        onClick={() => {
          go(-1);
        }}
      >
        ←
      </Button>
      <Range from={firstOf(params.view, last)} to={last} today={today} />
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
  readonly view: View;
  readonly by: By;
  readonly shares: Shares;
  readonly isLoaded: boolean;
}

function Chart({ view, by, shares, isLoaded }: ChartProps) {
  const { t } = useTranslation();
  const { settings } = useMe();
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [active, hover] = useState<string | null>(null);
  const { params, change } = useFilterParams();
  // Choosing the same day again shows all days.
  const choose = (date: string) => {
    change({ day: date === params.day ? "" : date, when: "any" });
  };
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
        {isLoaded && (
          <p className={classes(styles["total"], layout["figures"])}>
            <strong>{inHours(shares.total, t)}</strong>
            {shares.total === 0 ? (
              <span>{t("overview.time.none")}</span>
            ) : (
              <span>{t("overview.time.perDay", { time: inHours(shares.total / shares.busyDays, t) })}</span>
            )}
          </p>
        )}
        {by === "site" ? (
          <Legend shares={shares} {...colors} />
        ) : (
          <Topics
            first={firstOf(view, dayOf(params.at, settings.timezone))}
            last={dayOf(params.at, settings.timezone)}
          />
        )}
      </div>
      {shares.total > 0 && <TimeTable shares={shares} choose={choose} />}
    </div>
  );
}

interface RangeProps {
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

/** 10–16 Nov; with its year if that isn't the current one. */
function Range({ from, to, today }: RangeProps) {
  const locale = useLocale();
  const noon = (date: string) => new Date(`${date}T12:00:00Z`);
  const year = from.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric";
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year, timeZone: "UTC" });
  return (
    <span className={styles["range"]} aria-live="polite">
      {days.formatRange(noon(from), noon(to))}
    </span>
  );
}

/** The last day of the chart: the one in the address, or today; never so early that its month would begin before FIRST_DAY. */
export function dayOf(asked: string, zone: string): string {
  const today = dateOf(new Date(), zone);
  if (asked === "" || asked > today) return today;
  return firstOf("month", asked) < FIRST_DAY ? addDays(FIRST_DAY, DAYS.month - 1) : asked;
}

/** What ends today is requested without dates, so that public/prefetch.js can request it before the time zone is known. */
export function shownDaysQuery({ view, at }: Pick<FilterParams, "view" | "at">, zone: string) {
  const day = dayOf(at, zone);
  return daysQuery(day === dayOf("", zone) ? undefined : firstOf(view, day), DAYS[view]);
}
