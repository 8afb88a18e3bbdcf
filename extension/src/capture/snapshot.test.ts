import { expect, test } from "vitest";
import type { Observation } from "./observations";
import { A, after, B, run, RULES, started, tab } from "./testing";

test("a recording begins with the focus and the active tab of each window", () => {
  const tabs = [
    tab(1, A, { isActive: true, title: "A" }),
    tab(2, B),
    tab(3, B, { isActive: true, windowId: 2 }),
  ];
  expect(run([{ kind: "snapshot", t: 5, tabs, focusedWindowId: 2, isRestart: false }]).events).toEqual([
    { type: "WINDOW_FOCUS_CHANGED", t: 5, windowId: 2, payload: { focused: true } },
    { type: "TAB_ACTIVATED", t: 5, tabId: 1, windowId: 1, url: A, payload: { title: "A" } },
    { type: "TAB_ACTIVATED", t: 5, tabId: 3, windowId: 2, url: B },
  ]);
});

test("the same snapshot again causes no event", () => {
  const again: Observation = {
    kind: "snapshot",
    t: 2_000,
    tabs: [tab(1, A, { isActive: true }), tab(2, B)],
    focusedWindowId: 1,
    isRestart: false,
  };
  expect(after(again)).toEqual([]);
});

test("after a restart everything is recorded again, and the first event is flagged", () => {
  const tabs = [tab(7, B, { isActive: true, windowId: 3 })];
  expect(after({ kind: "snapshot", t: 9_000, tabs, focusedWindowId: 3, isRestart: true })).toEqual([
    { type: "WINDOW_FOCUS_CHANGED", t: 9_000, windowId: 3, payload: { focused: true, restart: true } },
    { type: "TAB_ACTIVATED", t: 9_000, tabId: 7, windowId: 3, url: B },
  ]);
});

test("a restart without any tab is flagged on the focus event", () => {
  expect(after({ kind: "snapshot", t: 9_000, tabs: [], focusedWindowId: -1, isRestart: true })).toEqual([
    { type: "WINDOW_FOCUS_CHANGED", t: 9_000, windowId: -1, payload: { focused: false, restart: true } },
  ]);
});

test("missed events are made up for: a closed tab, another active tab, a changed page", () => {
  const tabs = [tab(2, "https://b.example/c", { isActive: true })];
  expect(after({ kind: "snapshot", t: 3_000, tabs, focusedWindowId: 1, isRestart: false })).toEqual([
    { type: "TAB_REMOVED", t: 3_000, tabId: 1 },
    { type: "TAB_ACTIVATED", t: 3_000, tabId: 2, windowId: 1, url: "https://b.example/c" },
  ]);
});

test("a page that has become excluded is no longer recorded", () => {
  const rules = { ...RULES, excluded: ["a.example"] };
  const tabs = [tab(1, A, { isActive: true }), tab(2, B)];
  const snapshot: Observation = { kind: "snapshot", t: 3_000, tabs, focusedWindowId: 1, isRestart: false };
  expect(run([snapshot], rules, started.state).events).toEqual([
    { type: "NAV_COMMITTED", t: 3_000, tabId: 1, windowId: 1 },
  ]);
});
