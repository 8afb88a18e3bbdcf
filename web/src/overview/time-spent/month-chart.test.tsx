import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { chooseLanguage, startLanguages } from "../../i18n/languages";
import { MonthChart } from "./month-chart";
import type { Shares } from "./chart-data";

afterEach(cleanup);

const MINUTE = 60_000;

/** The radii of the rings of days with so many minutes. */
function ringsOf(minutes: readonly number[], width: number): number[] {
  startLanguages();
  chooseLanguage("en");
  const days = minutes.map((each, n) => ({
    date: `2026-11-0${n + 1}`,
    total: each * MINUTE,
    minutes: each,
    parts: [{ domain: "site.example", ms: each * MINUTE, minutes: each }],
  }));
  const shares: Shares = { total: 0, busyDays: 0, parts: [], days };
  render(
    <MonthChart
      shares={shares}
      width={width}
      today="2026-11-16"
      chosen=""
      choose={() => undefined}
      active={null}
      hover={() => undefined}
    />,
  );
  return [...document.querySelectorAll("path")].map((path) =>
    Number(/A([\d.]+)/.exec(path.getAttribute("d") ?? "")?.[1]),
  );
}

test.each([{ width: 320 }, { width: 350 }, { width: 500 }, { width: 640 }, { width: 900 }])(
  "twice the time is twice the ring, of short days too, in $width pixels",
  ({ width }) => {
    const minutes = [240, 120, 60, 30, 13.9, 6.9];
    const areas = ringsOf(minutes, width).map((radius) => radius ** 2);
    for (const [n, each] of minutes.entries())
      expect((areas[n] ?? 0) / (areas[0] ?? 0)).toBeCloseTo(each / 240, 5);
  },
);

test("a day of a moment is a dot that can be seen", () => {
  expect(ringsOf([600, 0.1], 350)[1]).toBe(2);
  const gaps = [...document.querySelectorAll<SVGGElement>("[data-leads] > g")].map((ring) =>
    Number(ring.style.getPropertyValue("--gap")),
  );
  expect(gaps[1]).toBeLessThan(0.5); // and is not covered by its own edge
});
