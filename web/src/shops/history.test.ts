import { expect, test } from "vitest";
import type { Change } from "./api";
import { endOf, percentOf, stepsOf, stockOf } from "./history";
import { scaleOf } from "./price-axis";
import { moneyIn } from "./money";

const NOW = Date.parse("2026-11-10T00:00:00Z");

function change(day: number, price: string | null, more: Partial<Change> = {}): Change {
  const at = `2026-11-0${day}T00:00:00Z`;
  return { option_id: "a", at, price, currency: "EUR", availability: "InStock", quantity: null, ...more };
}

test("a price is a step where it differs; other options and currencies are none of it", () => {
  const changes = [
    change(1, "20.00"),
    change(2, "20.0000", { availability: "OutOfStock" }),
    change(3, "5", { option_id: "b" }),
    change(4, "30", { currency: "USD" }),
    change(5, null),
    change(6, "18.50"),
  ];
  expect(stepsOf(changes, "a", "EUR").map(({ price }) => price)).toEqual([20, 18.5]);
});

test("stock is a period until it changes, and the last one reaches until now", () => {
  const changes = [
    change(1, "20"),
    change(2, "19"),
    change(3, "19", { availability: null }),
    change(4, "19", { availability: "OutOfStock" }),
    change(6, "19"),
  ];
  expect(stockOf(changes, "a", NOW)).toEqual([
    { from: Date.parse("2026-11-01T00:00:00Z"), to: Date.parse("2026-11-04T00:00:00Z"), isInStock: true },
    { from: Date.parse("2026-11-04T00:00:00Z"), to: Date.parse("2026-11-06T00:00:00Z"), isInStock: false },
    { from: Date.parse("2026-11-06T00:00:00Z"), to: NOW, isInStock: true },
  ]);
});

test("what is no longer listed isn't in stock any more", () => {
  const changes = [change(1, "20"), change(6, "20", { availability: "OutOfStock" })];
  const [listed, optionGone, productGone] = [null, "2026-11-05T00:00:00Z", "2026-11-08T00:00:00Z"];
  const until = (option: string | null, product: string | null) =>
    endOf({ gone_at: option }, { gone_at: product }, NOW);
  expect(until(listed, listed)).toBe(NOW);
  expect(until(listed, productGone)).toBe(Date.parse(productGone));
  expect(until(optionGone, productGone)).toBe(Date.parse(optionGone));
  expect(until("2026-11-10T00:00:01Z", listed)).toBe(NOW);
  expect(stockOf(changes, "a", until(optionGone, listed))).toEqual([
    { from: Date.parse("2026-11-01T00:00:00Z"), to: Date.parse(optionGone), isInStock: true },
  ]);
});

test.each([[[20]], [[20, 18]], [[0]], [[0.01, 0.02]], [[1_299_000, 1_190_000]], [[19.99, 5.5, 100]]])(
  "the scale of %j holds all of it, with a few round lines",
  (prices) => {
    const { low, high, lines } = scaleOf(prices);
    expect(low).toBeLessThanOrEqual(Math.min(...prices));
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBeGreaterThan(Math.max(...prices));
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeLessThanOrEqual(7);
    expect(new Set(lines).size).toBe(lines.length);
  },
);

test("percent of a price that was nothing is not said", () => {
  expect(percentOf(20, 18)).toBe(-10);
  expect(percentOf(0, 18)).toBeNull();
});

test.each([
  ["19.9900", "EUR", "€19.99"],
  ["20.0000", "EUR", "€20"],
  ["1290000", "KRW", "₩1,290,000"],
  ["5.5", "shells", "5.5 shells"],
  ["5.5", null, "5.5"],
  [null, "EUR", ""],
])("%s %s is %s", (price, currency, shown) => {
  expect(moneyIn("en", price, currency)).toBe(shown);
});
