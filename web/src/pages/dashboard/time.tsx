import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { daysQuery } from "../../sessions/api";
import { addDays, dateOf, DAYS, firstOf } from "../../sessions/groups";
import { huesOf } from "../../sessions/hues";
import { SiteMark, tint } from "../../sessions/mark";
import { Button } from "../../ui/button";
import { useDayName, useLocale } from "../../ui/dates";
import { inHours } from "../../ui/durations";
import { Trouble } from "../../ui/notice";
import { useWidth } from "../../ui/width";
import { MonthPicture, WeekPicture } from "./pictures";
import { sharesOf, type Shares } from "./plot";
import { useAsked, type Asked } from "./wanted";

type View = Asked["view"];

/** The server looks back no further, and nobody recorded anything then. */
const EARLIEST = "2000-01-01";

/** Where the time went: a picture, what the colours are, and the same as a table. */
export function TimePanel() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const { asked, ask } = useAsked();
  const today = dateOf(new Date(), settings.timezone);
  const at = dayOf(asked.at, settings.timezone);
  const from = firstOf(asked.view, at);
  const { data, error, refetch } = useQuery(shownDaysQuery(asked, settings.timezone));
  const shares = useMemo(() => sharesOf(data?.days ?? []), [data]);
  const go = (by: -1 | 1) => {
    const to = addDays(at, by * DAYS[asked.view]);
    ask({ at: to >= today ? "" : to });
  };
  return (
    <section className="panel time" aria-labelledby="time-title">
      <div className="time-head">
        <h2 id="time-title">{t("time.title")}</h2>
        <div className="switch" role="group" aria-label={t("time.view")}>
          {(["week", "month"] as const).map((view) => (
            <button
              key={view}
              type="button"
              aria-pressed={asked.view === view}
              onClick={() => {
                ask({ view, at: "" });
              }}
            >
              {t(`time.views.${view}`)}
            </button>
          ))}
        </div>
        <div className="time-way">
          <Button
            look="quiet"
            aria-label={t("time.before")}
            isBusy={firstOf("month", at) <= EARLIEST}
            onClick={() => {
              go(-1);
            }}
          >
            ←
          </Button>
          <Name from={from} to={at} today={today} />
          <Button
            look="quiet"
            aria-label={t("time.after")}
            isBusy={at >= today}
            onClick={() => {
              go(1);
            }}
          >
            →
          </Button>
        </div>
      </div>
      {error && <Trouble error={error} retry={refetch} />}
      <Drawn view={asked.view} shares={shares} today={today} isThere={data !== undefined} />
    </section>
  );
}

interface DrawnProps {
  readonly view: View;
  readonly shares: Shares;
  readonly today: string;
  readonly isThere: boolean;
}

function Drawn({ view, shares, today, isThere }: DrawnProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const [active, point] = useState<string | null>(null);
  const { asked, ask } = useAsked();
  // The same day once more lets all of them in again.
  const choose = (date: string) => {
    ask({ day: date === asked.day ? "" : date, when: "any" });
  };
  const hues = useMemo(() => huesOf(shares.parts.flatMap(({ domain }) => domain ?? [])), [shares]);
  const Picture = view === "week" ? WeekPicture : MonthPicture;
  const colours = { hues, active, point };
  return (
    <>
      <div className="time-body">
        <div ref={place} className="time-picture" data-view={view}>
          {isThere && (
            <Picture
              shares={shares}
              width={width}
              today={today}
              chosen={asked.day}
              choose={choose}
              {...colours}
            />
          )}
        </div>
        <div className="time-words">
          {isThere && (
            <p className="time-total figures">
              <strong>{inHours(shares.total, t)}</strong>
              {shares.total === 0 ? (
                <span>{t("time.none")}</span>
              ) : (
                <span>{t("time.perDay", { time: inHours(shares.total / shares.busyDays, t) })}</span>
              )}
            </p>
          )}
          <Legend shares={shares} {...colours} />
        </div>
      </div>
      {shares.total > 0 && <Table shares={shares} choose={choose} />}
    </>
  );
}

interface LegendProps {
  readonly shares: Shares;
  readonly hues: ReadonlyMap<string, number>;
  readonly active: string | null;
  readonly point: (domain: string | null) => void;
}

/** The colours by name; each leads to the sessions that have it. */
function Legend({ shares, hues, active, point }: LegendProps) {
  const { t } = useTranslation();
  const { ask } = useAsked();
  const most = Math.max(1, ...shares.parts.map(({ ms }) => ms)); // the others together may be more than any
  return (
    <ul className="legend figures">
      {shares.parts.map(({ domain, ms }) => (
        <li
          key={domain ?? ""}
          className={domain === null ? "others" : "tinted"}
          style={domain === null ? undefined : tint(hues.get(domain) ?? 0)}
          data-back={active !== null && active !== domain}
        >
          {domain === null ? (
            <span className="legend-name">
              <span className="site-mark" aria-hidden="true">
                …
              </span>
              {t("time.other")}
            </span>
          ) : (
            <button
              type="button"
              className="legend-name"
              title={t("time.only", { domain })}
              onClick={() => {
                ask({ domain });
              }}
              onPointerEnter={() => {
                point(domain);
              }}
              onPointerLeave={() => {
                point(null);
              }}
              onFocus={() => {
                point(domain);
              }}
              onBlur={() => {
                point(null);
              }}
            >
              <SiteMark domain={domain} hue={hues.get(domain)} />
              <bdi>{domain}</bdi>
            </button>
          )}
          <span className="legend-time">{inHours(ms, t)}</span>
          <span className="legend-bar" style={{ width: `${(100 * ms) / most}%` }} />
        </li>
      ))}
    </ul>
  );
}

interface TableProps {
  readonly shares: Shares;
  readonly choose: (date: string) => void;
}

function Table({ shares, choose }: TableProps) {
  const { t } = useTranslation();
  const dayName = useDayName();
  return (
    <details className="time-table">
      <summary>{t("time.table")}</summary>
      <div className="table-place" tabIndex={0} role="region" aria-label={t("time.table")}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">{t("time.day")}</th>
              <th scope="col">{t("time.all")}</th>
              {shares.parts.map(({ domain }) => (
                <th key={domain ?? ""} scope="col">
                  <bdi>{domain ?? t("time.other")}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shares.days
              .filter(({ total }) => total > 0)
              .map(({ date, total, parts }) => (
                <tr key={date}>
                  <th scope="row">
                    <button
                      type="button"
                      className="day-name"
                      title={t("time.onlyDay", { day: dayName(date) })}
                      onClick={() => {
                        choose(date);
                      }}
                    >
                      {dayName(date)}
                    </button>
                  </th>
                  <td>{inHours(total, t)}</td>
                  {shares.parts.map(({ domain }) => {
                    const part = parts.find((each) => each.domain === domain);
                    return <td key={domain ?? ""}>{part === undefined ? "–" : inHours(part.ms, t)}</td>;
                  })}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface NameProps {
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

/** 10–16 Nov; with its year where it is not this one. */
function Name({ from, to, today }: NameProps) {
  const locale = useLocale();
  const noon = (date: string) => new Date(`${date}T12:00:00Z`);
  const year = from.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric";
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year, timeZone: "UTC" });
  return (
    <span className="time-name" aria-live="polite">
      {days.formatRange(noon(from), noon(to))}
    </span>
  );
}

/** The day that was asked for, or today; none of which the first of a month would be too early. */
export function dayOf(asked: string, zone: string): string {
  const today = dateOf(new Date(), zone);
  if (asked === "" || asked > today) return today;
  return firstOf("month", asked) < EARLIEST ? addDays(EARLIEST, DAYS.month - 1) : asked;
}

/** What ends today is asked for without its dates, which needs nothing to be known of the reader. */
export function shownDaysQuery({ view, at }: Pick<Asked, "view" | "at">, zone: string) {
  const day = dayOf(at, zone);
  return daysQuery(day === dayOf("", zone) ? undefined : firstOf(view, day), DAYS[view]);
}
