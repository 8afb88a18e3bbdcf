/** Tokens of this period: against the limit, day by day, and by what they were for. */
import { useQuery } from "@tanstack/react-query";
import { use, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { classes } from "../ui/classes";
import { tinted } from "../ui/domain-colors";
import { useWidth } from "../ui/hooks/use-width";
import { Trouble, Waiting } from "../ui/notice";
import { dateOf } from "../ui/time/calendar";
import { useDates, useDayName, useLocale } from "../ui/time/dates";
import { TimeZoneContext } from "../ui/time/time-zone";
import layout from "../ui/styles/layout.module.css";
import table from "../ui/styles/table.module.css";
import { daysQuery, type BillingState, type UsageDay } from "./api";
import { en } from "./en";
import { barsOf, topOf, totalsOf, type Bar } from "./usage";
import styles from "./billing.module.css";

const HEIGHT = 180;
const HEAD = 10;
const FOOT = 24;
const LETTER = 7;

type Operation = keyof typeof en.operations;

export function UsagePanel({ state }: { readonly state: BillingState }) {
  const { t } = useTranslation();
  const dates = useDates();
  const days = useQuery(daysQuery);
  const { start, end } = state.period;
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="used-title">
      <h2 id="used-title">{t("billing.usage.title")}</h2>
      <p className={layout["soft"]}>
        {t("billing.usage.period", { from: dates.day(start), to: dates.day(Date.parse(end) - 1) })}
      </p>
      <Meter tokens={state.tokens} />
      {days.error ? (
        <Trouble error={days.error} retry={days.refetch} />
      ) : days.data === undefined ? (
        <Waiting />
      ) : days.data.length === 0 ? (
        <p className={layout["empty"]}>{t("billing.usage.nothing")}</p>
      ) : (
        <Days days={days.data} start={start} />
      )}
    </section>
  );
}

/** What is used, what calls under way hold back, and how much there is. */
function Meter({ tokens }: { readonly tokens: BillingState["tokens"] }) {
  const { t } = useTranslation();
  const numbers = useNumbers();
  const { used, reserved, limit } = tokens;
  const said =
    limit === null
      ? t("billing.usage.used", { used: numbers(used) })
      : t("billing.usage.usedOf", { used: numbers(used), limit: numbers(limit) });
  return (
    <div className={styles["meter"]}>
      <p className={styles["figure"]}>{said}</p>
      {limit !== null && (
        <div className={styles["bar"]} aria-hidden="true">
          <span style={{ width: share(used, limit) }} data-full={tokens.is_used_up} />
          <span style={{ width: share(Math.min(reserved, limit - used), limit) }} data-reserved="true" />
        </div>
      )}
      {reserved > 0 && (
        <p className={layout["soft"]}>{t("billing.usage.reserved", { tokens: numbers(reserved) })}</p>
      )}
      {tokens.is_used_up && <p>{t("billing.usage.over")}</p>}
    </div>
  );
}

function Days({ days, start }: { readonly days: readonly UsageDay[]; readonly start: string }) {
  const { t } = useTranslation();
  const zone = use(TimeZoneContext);
  const [today] = useState(() => dateOf(new Date(), zone));
  const last = days.reduce((latest, { date }) => (date > latest ? date : latest), today);
  const bars = barsOf(days, dateOf(start, zone), last);
  return (
    <>
      <Chart bars={bars} />
      <ByOperation days={days} />
      <details>
        <summary>{t("billing.usage.asTable")}</summary>
        <DayTable bars={bars} />
      </details>
    </>
  );
}

function Chart({ bars }: { readonly bars: readonly Bar[] }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const numbers = useNumbers();
  const dayName = useDayName();
  const name = useOperations();
  const top = topOf(Math.max(...bars.map(({ tokens }) => tokens)));
  const axis = numbers(top).length * LETTER + 12;
  const column = (width - axis) / bars.length;
  const whole = HEIGHT - HEAD - FOOT;
  const y = (tokens: number) => HEAD + whole - (tokens / top) * whole;
  const step = Math.ceil(64 / column);
  return (
    <div ref={frame}>
      <svg
        className={styles["chart"]}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={t("billing.usage.chart")}
      >
        {[0, top / 2, top].map((line) => (
          <g key={line}>
            <line className={styles["grid"]} x1={axis} x2={width} y1={y(line)} y2={y(line)} />
            <text x={axis - 8} y={y(line) + 4} textAnchor="end">
              {numbers(line)}
            </text>
          </g>
        ))}
        {bars.map(({ date, pieces }, index) => (
          <g key={date}>
            {pieces.map(({ operation, tokens }, at) => {
              const below = pieces.slice(0, at).reduce((all, each) => all + each.tokens, 0);
              return (
                <rect
                  key={operation}
                  className={styles["piece"]}
                  {...tinted(operation)}
                  x={axis + column * (index + 0.15)}
                  y={y(below + tokens)}
                  width={column * 0.7}
                  height={Math.max(y(below) - y(below + tokens), 1)}
                >
                  <title>{`${dayName(date)} · ${name(operation)} · ${numbers(tokens)}`}</title>
                </rect>
              );
            })}
            {index % step === 0 && index + step <= bars.length + step / 2 && (
              <text x={axis + column * (index + 0.5)} y={HEIGHT - 6} textAnchor="middle">
                {shortDay(date)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Also what the colours of the chart mean. */
function ByOperation({ days }: { readonly days: readonly UsageDay[] }) {
  const { t } = useTranslation();
  const numbers = useNumbers();
  const name = useOperations();
  return (
    <div className={table["scroller"]} tabIndex={0} role="group" aria-labelledby="used-title">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("billing.usage.operation")}</th>
            <th scope="col">{t("billing.usage.calls")}</th>
            <th scope="col">{t("billing.usage.tokens")}</th>
          </tr>
        </thead>
        <tbody>
          {totalsOf(days).map(({ operation, calls, tokens }) => (
            <tr key={operation}>
              <th scope="row">
                <span className={styles["swatch"]} {...tinted(operation)} />
                {name(operation)}
              </th>
              <td>{numbers(calls)}</td>
              <td>{numbers(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DayTable({ bars }: { readonly bars: readonly Bar[] }) {
  const { t } = useTranslation();
  const numbers = useNumbers();
  const dayName = useDayName();
  const name = useOperations();
  return (
    <div className={table["scroller"]} tabIndex={0} role="region" aria-label={t("billing.usage.asTable")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("billing.usage.day")}</th>
            <th scope="col">{t("billing.usage.tokens")}</th>
            <th scope="col">{t("billing.usage.operation")}</th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ tokens }) => tokens > 0)
            .toReversed()
            .map(({ date, tokens, pieces }) => (
              <tr key={date}>
                <th scope="row">{dayName(date)}</th>
                <td>{numbers(tokens)}</td>
                <td>
                  {pieces.map((piece) => `${name(piece.operation)} ${numbers(piece.tokens)}`).join(", ")}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** What tokens were for, in words; an operation newer than this app by its own name. */
export function useOperations(): (operation: string) => string {
  const { t } = useTranslation();
  return (operation) =>
    Object.hasOwn(en.operations, operation) ? t(`billing.operations.${operation as Operation}`) : operation;
}

export function useNumbers(): (n: number) => string {
  const locale = useLocale();
  return (n) => new Intl.NumberFormat(locale).format(n);
}

function share(part: number, whole: number): string {
  return `${Math.min(100, Math.max(0, (100 * part) / Math.max(whole, 1)))}%`;
}

/** 11-16 → 16.11. is nobody's way; the number of the day alone is everybody's. */
function shortDay(date: string): string {
  return String(Number(date.slice(8)));
}
