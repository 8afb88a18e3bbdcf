import { expect, test } from "vitest";
import { after } from "./testing";

test("focus and idle state are recorded when they change", () => {
  expect(
    after(
      { kind: "focused", t: 2_000, windowId: 1 },
      { kind: "focused", t: 2_100, windowId: -1 },
      { kind: "idle", t: 2_200, state: "active", thresholdMs: 60_000 },
      { kind: "idle", t: 2_300, state: "idle", thresholdMs: 60_000 },
    ),
  ).toEqual([
    { type: "WINDOW_FOCUS_CHANGED", t: 2_100, windowId: -1, payload: { focused: false } },
    { type: "IDLE_STATE_CHANGED", t: 2_300, payload: { state: "idle", thresholdMs: 60_000 } },
  ]);
});
