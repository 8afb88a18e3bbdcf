/**
 * The price of one option over time as a line of steps, with its stock below; the other options stay behind it as
 * thin lines. Drawn in true pixels; the table below says the same in words.
 */
import { useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useWidth } from "../ui/hooks/use-width";
import { useDates } from "../ui/time/dates";
import type { Change, Option, Product } from "./api";
import { endOf, percentOf, stepsOf, stockOf, type Period, type Step } from "./history";
import { scaleOf, type Scale } from "./price-axis";
import { useMoney } from "./money";
import styles from "./chart.module.css";

const HEIGHT = 240;
const HEAD = 14;
const FOOT = 58;
const STOCK_TOP = HEIGHT - 46;
const STOCK_HEIGHT = 12;
const LETTER = 7;
const MOST_BEHIND = 20;
/** A history of a moment is drawn as one of an hour. */
const SHORTEST = 3_600_000;
const DAY = 86_400_000;

interface Props {
  readonly changes: readonly Change[];
  readonly option: Option;
  readonly options: readonly Option[];
  readonly product: Product;
}

export function HistoryChart({ changes, option, options, product }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [now] = useState(() => Date.now());
  const money = useMoney();
  const steps = stepsOf(changes, option.id, option.currency);
  const others = options
    .filter(({ id, currency }) => id !== option.id && currency === option.currency)
    .slice(0, MOST_BEHIND)
    .map((other) => ({
      id: other.id,
      steps: stepsOf(changes, other.id, option.currency),
      end: endOf(other, product, now),
    }));
  const end = endOf(option, product, now);
  const stock = stockOf(changes, option.id, end);
  const summary = useSummary(steps, option);
  const prices = [...steps, ...others.flatMap(({ steps: behind }) => behind)].map(({ price }) => price);
  const scale = prices.length === 0 ? null : scaleOf(prices);
  const first = Math.min(...changes.map(({ at }) => Date.parse(at)), now - SHORTEST);
  const labels = scale?.lines.map((price) => money(price, option.currency)) ?? [];
  const axis = Math.max(...labels.map((label) => label.length), 4) * LETTER + 12;
  const x = (at: number) => axis + ((at - first) / (now - first)) * (width - axis - 8);
  const y = (price: number) =>
    scale === null ? 0 : HEAD + (1 - (price - scale.low) / (scale.high - scale.low)) * (HEIGHT - HEAD - FOOT);
  return (
    <div ref={frame}>
      <svg className={styles["chart"]} width={width} height={HEIGHT} role="img" aria-label={summary}>
        {scale && <Grid scale={scale} labels={labels} axis={axis} width={width} y={y} />}
        {others.map(({ id, steps: behind, end: last }) => (
          <path key={id} className={styles["behind"]} d={lineOf(behind, last, x, y)} />
        ))}
        {scale && <Line steps={steps} end={end} x={x} y={y} option={option} floor={y(scale.low)} />}
        <StockBand periods={stock} x={x} />
        <Days first={first} now={now} axis={axis} width={width} />
      </svg>
      <p className={styles["summary"]} aria-hidden="true">
        {summary}
      </p>
      {stock.length > 0 && <Legend hasOthers={others.length > 0} />}
    </div>
  );
}

/** The same for everybody: what it costs now, and what it did before. */
function useSummary(steps: readonly Step[], { currency }: Option): string {
  const { t } = useTranslation();
  const money = useMoney();
  const dates = useDates();
  const last = steps.at(-1);
  const before = steps.at(-2);
  if (last === undefined) return t("shops.history.noPrice");
  if (before === undefined)
    return t("shops.history.same", { price: money(last.price, currency), time: dates.day(last.at) });
  const percent = percentOf(before.price, last.price);
  const said = { price: money(last.price, currency), was: money(before.price, currency) };
  const time = dates.moment(last.at);
  if (percent === null) return t("shops.history.changed", { ...said, time });
  return t(percent < 0 ? "shops.history.down" : "shops.history.up", {
    ...said,
    time,
    percent: Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0),
  });
}

interface GridProps {
  readonly scale: Scale;
  readonly labels: readonly string[];
  readonly axis: number;
  readonly width: number;
  readonly y: (price: number) => number;
}

function Grid({ scale, labels, axis, width, y }: GridProps) {
  return scale.lines.map((price, n) => (
    <g key={price}>
      <line className={styles["grid"]} x1={axis} x2={width} y1={y(price)} y2={y(price)} />
      <text x={axis - 8} y={y(price) + 4} textAnchor="end">
        {labels[n]}
      </text>
    </g>
  ));
}

interface LineProps {
  readonly steps: readonly Step[];
  readonly end: number;
  readonly x: (at: number) => number;
  readonly y: (price: number) => number;
  readonly option: Option;
  readonly floor: number;
}

function Line({ steps, end, x, y, option, floor }: LineProps) {
  const money = useMoney();
  const dates = useDates();
  const line = lineOf(steps, end, x, y);
  const [first] = steps;
  if (first === undefined) return null;
  return (
    <>
      <path className={styles["area"]} d={`${line}V${floor}H${x(first.at)}Z`} />
      <path className={styles["line"]} d={line} />
      {steps.map(({ at, price }) => (
        <circle key={at} className={styles["point"]} cx={x(at)} cy={y(price)} r={4}>
          <title>{`${money(price, option.currency)} · ${dates.moment(at)}`}</title>
        </circle>
      ))}
    </>
  );
}

function StockBand({ periods, x }: { readonly periods: readonly Period[]; readonly x: LineProps["x"] }) {
  const { t } = useTranslation();
  return periods.map(({ from, to, isInStock }) => (
    <rect
      key={from}
      className={styles["stock"]}
      data-in={isInStock}
      x={x(from)}
      y={STOCK_TOP}
      width={Math.max(x(to) - x(from) - 1, 2)}
      height={STOCK_HEIGHT}
      rx={2}
    >
      <title>{t(isInStock ? "shops.stock.in" : "shops.stock.out")}</title>
    </rect>
  ));
}

interface DaysProps {
  readonly first: number;
  readonly now: number;
  readonly axis: number;
  readonly width: number;
}

/** Where it begins, its middle where there is room, and now. */
function Days({ first, now, axis, width }: DaysProps) {
  const { t } = useTranslation();
  const dates = useDates();
  const name = now - first < 2 * DAY ? dates.moment : dates.day;
  return (
    <>
      <text x={axis} y={HEIGHT - 8}>
        {name(first)}
      </text>
      {width - axis > 420 && now - first > 4 * DAY && (
        <text x={axis + (width - axis - 8) / 2} y={HEIGHT - 8} textAnchor="middle">
          {name((first + now) / 2)}
        </text>
      )}
      <text x={width - 8} y={HEIGHT - 8} textAnchor="end">
        {t("shops.history.now")}
      </text>
    </>
  );
}

function Legend({ hasOthers }: { readonly hasOthers: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={styles["legend"]}>
      {[true, false].map((isIn) => (
        <li key={String(isIn)}>
          <span className={styles["swatch"]} data-in={isIn} />
          {t(isIn ? "shops.stock.in" : "shops.stock.out")}
        </li>
      ))}
      {hasOthers && (
        <li>
          <span className={styles["thin"]} />
          {t("shops.history.others")}
        </li>
      )}
    </ul>
  );
}

/** A price holds until the next one, the last until `end`. */
function lineOf(steps: readonly Step[], end: number, x: LineProps["x"], y: LineProps["y"]): string {
  const [first, ...rest] = steps;
  if (first === undefined) return "";
  const pieces = rest.map(({ at, price }) => `H${x(at)}V${y(price)}`);
  return `M${x(first.at)} ${y(first.price)}${pieces.join("")}H${x(end)}`;
}
