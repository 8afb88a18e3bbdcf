/** Which part of a session the strip shows, and how moving and zooming change that. Pure. */

export interface View {
  readonly from: number;
  readonly to: number;
}

/** The whole width for a twentieth of a second: two switches of one second are then metres apart. */
export const CLOSEST_MS = 50;

export function zoom(view: View, whole: View, at: number, factor: number): View {
  const span = clamp((view.to - view.from) * factor, Math.min(CLOSEST_MS, lengthOf(whole)), lengthOf(whole));
  const share = (at - view.from) / (view.to - view.from);
  return within({ from: at - span * share, to: at - span * share + span }, whole);
}

export function pan(view: View, whole: View, by: number): View {
  return within({ from: view.from + by, to: view.to + by }, whole);
}

/** Moved into the whole, keeping its length. */
export function within(view: View, whole: View): View {
  const span = Math.min(lengthOf(view), lengthOf(whole));
  const from = clamp(view.from, whole.from, whole.to - span);
  return { from, to: from + span };
}

/** So that this period is seen with some of what lies around it. */
export function around(from: number, to: number, whole: View): View {
  const margin = Math.max(to - from, 200);
  return within({ from: from - margin, to: to + margin }, whole);
}

export function isWhole(view: View, whole: View): boolean {
  return lengthOf(view) >= lengthOf(whole) - 0.5;
}

/**
 * Where somebody looks: at the pointer on the strip, else at what is selected if it is in view, else at the middle.
 * Zooming keeps that moment where it is.
 */
export function lookedAt(view: View, pointed: number | null, selected: View | null): number {
  if (pointed !== null) return clamp(pointed, view.from, view.to);
  if (selected === null || selected.to < view.from || selected.from > view.to)
    return (view.from + view.to) / 2;
  return (Math.max(selected.from, view.from) + Math.min(selected.to, view.to)) / 2;
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** Round moments for the axis, at most `most` of them, and how far they are apart. */
export function ticks(
  view: View,
  most: number,
  offsetMs = 0,
): { readonly step: number; readonly at: number[] } {
  const step = STEPS.find((each) => lengthOf(view) / each <= most) ?? 86_400_000;
  const at: number[] = [];
  // Counted from the reader's own midnight, so that hours are full hours in their zone.
  for (let tick = Math.ceil((view.from + offsetMs) / step) * step - offsetMs; tick <= view.to; tick += step)
    at.push(tick);
  return { step, at };
}

function lengthOf(view: View): number {
  return view.to - view.from;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
