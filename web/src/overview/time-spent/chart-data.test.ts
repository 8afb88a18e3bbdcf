import { expect, test } from "vitest";
import type { Day } from "../../session/api";
import { firstOf } from "../time-range";
import { labelWidth, linesOf, lineUnit, ringOf, sharesOf } from "./chart-data";
import { dayOf, shownDaysQuery } from "./time-spent";
import { addressOf, paramsOf, filterOf } from "../filter-params";

const MINUTE = 60_000;

function day(date: string, times: Record<string, number>, hidden = 0): Day {
  const domains = Object.entries(times).map(([domain, focused_ms]) => ({
    domain,
    focused_ms,
    visits: 1,
    pages: 1,
  }));
  const sum = domains.reduce((all, { focused_ms }) => all + focused_ms, hidden);
  return { date, focused_ms: sum, visits: domains.length, domains };
}

test("the picture has all the time, named or not", () => {
  const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`s${n}.example`, (20 - n) * MINUTE]));
  const shares = sharesOf([
    day("2026-11-15", many, 7 * MINUTE),
    day("2026-11-16", {}),
    day("2026-11-17", { x: 1 }),
  ]);
  const sum = (parts: readonly { ms: number }[]) => parts.reduce((all, { ms }) => all + ms, 0);
  expect(sum(shares.parts)).toBe(shares.total);
  for (const each of shares.days) expect(sum(each.parts)).toBe(each.total);
  const minutes = (parts: readonly { minutes: number }[]) =>
    parts.reduce((all, part) => all + part.minutes, 0);
  const total = Math.round(shares.total / MINUTE);
  expect([minutes(shares.parts), minutes(shares.days)]).toEqual([total, total]);
  for (const each of shares.days) expect(minutes(each.parts)).toBe(each.minutes);
  expect(shares.busyDays).toBe(2);
  expect(shares.parts[0]?.domain).toBe("s0.example");
  expect(shares.parts.at(-1)?.domain).toBeNull();
});

test.each([1, 4 * MINUTE, 61 * MINUTE, 300 * MINUTE, 2_000 * MINUTE])(
  "lines for %d ms reach above it",
  (most) => {
    const lines = linesOf(most);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
    expect(lines.length).toBeLessThanOrEqual(5);
  },
);

test("a ring of one site is whole, and of many has a piece for each", () => {
  expect(ringOf([{ domain: "a", ms: 5, minutes: 0 }], 10, 5)[0]?.path).toContain("A10 10");
  const pieces = ringOf(
    [
      { domain: "a", ms: 3, minutes: 0 },
      { domain: null, ms: 1, minutes: 0 },
    ],
    10,
    5,
  );
  expect(pieces.map(({ path }) => path.startsWith("M") && path.endsWith("Z"))).toEqual([true, true]);
  expect(JSON.stringify(pieces)).not.toContain("NaN");
});

test.each([
  { line: 15 * MINUTE, top: 60 * MINUTE, shown: { unit: "min", n: 15 } },
  { line: 60 * MINUTE, top: 60 * MINUTE, shown: { unit: "h", n: 1 } },
  { line: 30 * MINUTE, top: 120 * MINUTE, shown: { unit: "h", n: 0.5 } },
  { line: 90 * MINUTE, top: 120 * MINUTE, shown: { unit: "h", n: 1.5 } },
  { line: 1_440 * MINUTE, top: 1_440 * MINUTE, shown: { unit: "h", n: 24 } },
])("the axis names $line of $top: $shown", ({ line, top, shown }) => {
  expect(lineUnit(line, top)).toEqual(shown);
});

test("no line of any axis needs more than one digit behind the point", () => {
  for (let most = 1; most <= 1_440; most += 1)
    for (const line of linesOf(most * MINUTE)) {
      const { n } = lineUnit(line, linesOf(most * MINUTE).at(-1) ?? 0);
      expect(Math.round(n * 10) / 10).toBe(n);
    }
});

test("a label is given room for its letters, Hangul more than digits", () => {
  expect(labelWidth("1.5시간")).toBeGreaterThan(labelWidth("1.5 h"));
  expect(labelWidth("45 min")).toBeGreaterThanOrEqual(36); // as measured at 12 pixels
});

test("bars have the pieces that the legend names, in its order, and the others", () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`s${n}.example`, (20 - n) * MINUTE]));
  const shares = sharesOf([
    day("2026-11-15", many),
    day("2026-11-16", { "rare.example": 5 * MINUTE, "s5.example": 2 * MINUTE, "s1.example": MINUTE }),
  ]);
  const named = shares.parts.map(({ domain }) => domain);
  expect(named).toHaveLength(9);
  expect(named.at(-1)).toBeNull();
  for (const { parts } of shares.days) {
    const inBar = parts.map(({ domain }) => domain);
    expect(inBar).toEqual(named.filter((domain) => inBar.includes(domain)));
    expect(inBar.at(-1)).toBeNull();
  }
  for (const { domain, ms } of shares.parts) {
    const ofDays = shares.days.flatMap(({ parts }) => parts.filter((part) => part.domain === domain));
    expect(ofDays.reduce((all, part) => all + part.ms, 0)).toBe(ms);
  }
});

test("a week of the picture is that of the filter, and so is a month", () => {
  const today = "2026-11-16";
  const asked = { words: "", status: "", domain: "", day: "", view: "week", at: "" } as const;
  for (const [view, when] of [
    ["week", "last7"],
    ["month", "last30"],
  ] as const) {
    expect(filterOf({ ...asked, when }, today, "UTC").from).toBe(`${firstOf(view, today)}T00:00:00.000Z`);
  }
  expect(firstOf("week", today)).toBe("2026-11-10");
});

test("no day is asked for that the server would refuse", () => {
  expect(dayOf("2000-01-01", "UTC")).toBe("2000-01-30");
  expect(dayOf("2000-02-01", "UTC")).toBe("2000-02-01");
  expect(firstOf("month", dayOf("2000-01-01", "UTC"))).toBe("2000-01-01");
  const { queryKey } = shownDaysQuery({ view: "week", at: "2000-01-02" }, "UTC");
  expect(queryKey).toEqual(["mine", "days", "2000-01-24", 7]);
});

test("what is asked for survives in the address, and nothing else does", () => {
  const asked = paramsOf(
    new URLSearchParams("q=빵&status=failed&when=last7&domain=a.example&view=month&at=2026-11-01"),
  );
  expect(paramsOf(new URLSearchParams(addressOf(asked).slice(2)))).toEqual(asked);
  const odd = paramsOf(new URLSearchParams("status=x&when=toString&at=never&day=2026-13-41&view=decade"));
  expect(odd).toEqual({ words: "", status: "", when: "any", domain: "", day: "", view: "week", at: "" });
  expect(addressOf(odd)).toBe("/");
  expect(filterOf(asked, "2026-11-16", "Asia/Seoul")).toEqual({
    search: "빵",
    status: "failed",
    domain: "a.example",
    from: "2026-11-09T15:00:00.000Z",
  });
  const one = paramsOf(new URLSearchParams("day=2026-11-16"));
  expect(addressOf(one)).toBe("/?day=2026-11-16");
  expect(filterOf(one, "2026-11-18", "America/New_York")).toEqual({
    from: "2026-11-16T05:00:00.000Z",
    to: "2026-11-17T05:00:00.000Z",
  });
});
