import { expect, test } from "vitest";
import type { Kind, Period } from "../timeline/periods";
import { draw } from "./drawing";

const KINDS: readonly Kind[] = ["unfocused", "idle", "asleep", "no_page"];

/** What one period of a kind fills below the lane of visits, as a share of its place. */
function filled(kind: Kind): number {
  const period: Period = {
    kind,
    from: 0,
    to: 1_000,
    isOpen: false,
    visit: null,
    highlights: [],
    shown: null,
  };
  const areas: number[] = [];
  const context = {
    canvas: { width: 0, height: 0 },
    fillStyle: "",
    setTransform: () => undefined,
    clearRect: () => undefined,
    fillRect: (_x: number, top: number, width: number, height: number) => {
      if (top > 60) areas.push(width * height);
    },
  };
  draw(context as unknown as CanvasRenderingContext2D, {
    timeline: { items: [], periods: [period], folded: 0, from: 0, to: 1_000, longest: 1 },
    view: { from: 0, to: 1_000 },
    width: 1_000,
    selected: null,
    lit: null,
    isDark: false,
  });
  return areas.reduce((sum, area) => sum + area, 0) / (1_000 * 12);
}

test("what is no visit is told apart below the lane: half a bar, strokes, solid, dots", () => {
  const shares = KINDS.map(filled);
  expect(shares[2]).toBeCloseTo(1, 2);
  for (const [n, share] of shares.entries())
    for (const other of shares.slice(n + 1)) expect(Math.abs(share - other)).toBeGreaterThan(0.05);
});
