import { ALIVE_AFTER_MS } from "@mindhit/client";
import { expect, test } from "vitest";
import { reduce } from "./reduce";
import { after, RULES, started } from "./testing";

test("a tick says ALIVE only after a silence", () => {
  expect(
    after(
      { kind: "tick", t: 30_000 },
      { kind: "tick", t: 1_000 + ALIVE_AFTER_MS },
      { kind: "tick", t: 50_000 },
    ),
  ).toEqual([{ type: "ALIVE", t: 1_000 + ALIVE_AFTER_MS }]);
});

test("a clock that was set back does not silence ALIVE", () => {
  expect(after({ kind: "tick", t: 1_000 - 3_600_000 })).toHaveLength(1);
});

test("a recording that ends by itself says ALIVE of an absence only once the user is back", () => {
  const away = { kind: "idle", t: 70_000, state: "idle", thresholdMs: 60_000 } as const;
  const back = { ...away, t: 300_000, state: "active" } as const;
  let { state } = started;
  const take = (observation: Parameters<typeof reduce>[1]) => {
    const reduced = reduce(state, observation, RULES, { endsByItself: true });
    state = reduced.state;
    return reduced.events.map(({ type, t }) => [type, t]);
  };
  expect(take(away)).toEqual([["IDLE_STATE_CHANGED", 70_000]]);
  for (const t of [100_000, 130_000, 160_000, 190_000, 220_000, 250_000])
    expect(take({ kind: "tick", t })).toEqual([]);
  expect(take(back)).toEqual([
    ["ALIVE", 130_000],
    ["ALIVE", 190_000],
    ["ALIVE", 250_000],
    ["IDLE_STATE_CHANGED", 300_000],
  ]);
  expect(take({ kind: "tick", t: 350_000 })).toEqual([["ALIVE", 350_000]]);
});
