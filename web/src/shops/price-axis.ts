/** The axis of prices in a chart: where it begins and ends, and its lines. Pure. */

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly lines: readonly number[];
}

const MOST_LINES = 4;

/** Round prices around all that is drawn. Prices differ little, so the scale doesn't begin at zero unless they are near it. */
export function scaleOf(prices: readonly number[]): Scale {
  const least = Math.min(...prices);
  const most = Math.max(...prices);
  const spread = Math.max(most - least, most * 0.1, 0.01);
  const step = roundStep(spread / (MOST_LINES - 1));
  const low = Math.max(0, Math.floor((least - spread * 0.1) / step) * step);
  const high = Math.ceil((most + spread * 0.1) / step) * step;
  const count = Math.round((high - low) / step);
  return { low, high, lines: Array.from({ length: count + 1 }, (_, n) => tidy(low + n * step)) };
}

/** 1, 2, 2.5 or 5 of a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10);
}

/** 0.1 + 0.2 is 0.3 here. */
function tidy(price: number): number {
  return Number(price.toPrecision(12));
}
