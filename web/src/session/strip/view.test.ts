import { expect, test } from "vitest";
import { around, isWhole, lookedAt, pan, ticks, zoom, type View } from "./view";

const whole: View = { from: 1_000_000, to: 4_600_000 };

test("what is selected at stays where it is while the strip is zoomed", () => {
  const at = 2_000_000;
  const view = zoom(whole, whole, at, 0.1);
  const share = (one: View) => (at - one.from) / (one.to - one.from);
  expect(share(view)).toBeCloseTo(share(whole), 6);
  expect(view.to - view.from).toBeCloseTo(360_000, 3);
});

test("neither zooming nor moving leads out of the session, or closer than can be read", () => {
  let view: View = whole;
  for (let n = 0; n < 80; n += 1) view = zoom(view, whole, 1_000_000, 0.5);
  expect(view.to - view.from).toBeCloseTo(50, 3); // a switch of a second is then twenty screens wide
  expect(pan(view, whole, -1e9).from).toBe(whole.from);
  expect(pan(view, whole, 1e9).to).toBe(whole.to);
  for (let n = 0; n < 80; n += 1) view = zoom(view, whole, 1_000_000, 2);
  expect(isWhole(view, whole)).toBe(true);
});

test("a switch of 80 ms is shown with what lies around it", () => {
  const view = around(2_000_000, 2_000_080, whole);
  expect(view).toEqual({ from: 1_999_800, to: 2_000_280 });
  expect(around(whole.from, whole.from + 10, whole).from).toBe(whole.from);
});

test("a session of one millisecond can be looked at", () => {
  const short: View = { from: 5, to: 6 };
  expect(zoom(short, short, 5, 0.1)).toEqual(short);
});

test("the axis has round moments, never too many of them", () => {
  for (const span of [50, 900, 61_000, 3_600_000, 36_000_000, 86_400_000 * 3]) {
    const { step, at } = ticks({ from: 1_700_000_000_123, to: 1_700_000_000_123 + span }, 8);
    expect(at.length).toBeLessThanOrEqual(9);
    expect(at.length).toBeGreaterThan(0);
    expect(at.every((moment) => moment % step === 0)).toBe(true);
  }
});

const view: View = { from: 1_000, to: 2_000 };

test.each([
  { about: "the pointer", pointed: 1_900, selected: { from: 1_100, to: 1_200 }, at: 1_900 },
  { about: "what is selected", pointed: null, selected: { from: 1_100, to: 1_200 }, at: 1_150 },
  { about: "the part of it that is in view", pointed: null, selected: { from: 1_800, to: 9_000 }, at: 1_900 },
  {
    about: "the middle, where that is elsewhere",
    pointed: null,
    selected: { from: 5_000, to: 6_000 },
    at: 1_500,
  },
  { about: "the middle, where nothing is", pointed: null, selected: null, at: 1_500 },
])("the reader looks at $about", ({ pointed, selected, at }) => {
  expect(lookedAt(view, pointed, selected)).toBe(at);
});
