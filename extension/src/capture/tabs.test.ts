import { expect, test } from "vitest";
import type { Observation } from "./observations";
import { A, after, B } from "./testing";

test("an activation brings the page's URL and title", () => {
  const events = after(
    { kind: "updated", t: 1_500, tabId: 2, title: "Bee" },
    { kind: "activated", t: 2_000, tabId: 2, windowId: 1 },
  );
  expect(events).toEqual([
    { type: "TAB_ACTIVATED", t: 2_000, tabId: 2, windowId: 1, url: B, payload: { title: "Bee" } },
  ]);
});

test("tabs that a delayed worker sees activated at once were active one after the other", () => {
  const show = (tabId: number): Observation => ({ kind: "activated", t: 2_000, tabId, windowId: 1 });
  const events = after(show(2), show(1), show(2), { ...show(1), t: 2_001 });
  expect(events.map(({ t, tabId }) => [t, tabId])).toEqual([
    [2_000, 2],
    [2_001, 1],
    [2_002, 2],
    [2_003, 1],
  ]);
});

test("a clock that is set back is accepted", () => {
  const events = after(
    { kind: "activated", t: 9_000_000, tabId: 2, windowId: 1 },
    { kind: "activated", t: 5_000_000, tabId: 1, windowId: 1 },
  );
  expect(events.map(({ t }) => t)).toEqual([9_000_000, 5_000_000]);
});

test("a new tab shows no page until one is committed, and names its opener once", () => {
  const events = after(
    { kind: "created", t: 2_000, tabId: 5, windowId: 1, isPrivate: false, openerTabId: 1 },
    { kind: "activated", t: 2_001, tabId: 5, windowId: 1 },
    {
      kind: "committed",
      t: 2_050,
      tabId: 5,
      url: B,
      isSameDocument: false,
      transition: "link",
      qualifiers: [],
    },
    {
      kind: "committed",
      t: 9_000,
      tabId: 5,
      url: A,
      isSameDocument: false,
      transition: "link",
      qualifiers: [],
    },
  );
  expect(events).toEqual([
    { type: "TAB_ACTIVATED", t: 2_001, tabId: 5, windowId: 1 },
    {
      type: "NAV_COMMITTED",
      t: 2_050,
      tabId: 5,
      windowId: 1,
      url: B,
      payload: { transition: "link", newDocument: true, openerTabId: 1 },
    },
    {
      type: "NAV_COMMITTED",
      t: 9_000,
      tabId: 5,
      windowId: 1,
      url: A,
      payload: { transition: "link", newDocument: true },
    },
  ]);
});

test("a closed tab is recorded once", () => {
  const removed: Observation = { kind: "removed", t: 2_000, tabId: 1 };
  expect(after(removed, removed)).toEqual([{ type: "TAB_REMOVED", t: 2_000, tabId: 1 }]);
});

test("a tab that replaces the active one is active", () => {
  expect(after({ kind: "replaced", t: 2_000, tabId: 8, removedTabId: 1 })).toEqual([
    { type: "TAB_REMOVED", t: 2_000, tabId: 1 },
    { type: "TAB_ACTIVATED", t: 2_000, tabId: 8, windowId: 1 },
  ]);
});

test("a moved tab is recorded with its new window", () => {
  const events = after(
    { kind: "attached", t: 2_000, tabId: 1, windowId: 4 },
    { kind: "activated", t: 2_001, tabId: 1, windowId: 4 },
  );
  expect(events).toEqual([
    { type: "TAB_ACTIVATED", t: 2_001, tabId: 1, windowId: 4, url: A, payload: { title: "A" } },
  ]);
});

test("private tabs are never recorded", () => {
  const hidden = { t: 2_000, tabId: 9, windowId: 6 } as const;
  expect(
    after(
      { kind: "created", ...hidden, isPrivate: true },
      { kind: "activated", ...hidden },
      { kind: "committed", t: 2_001, tabId: 9, url: B, isSameDocument: false },
      { kind: "content", t: 2_002, tabId: 9, url: B, content: "x", extractionOk: true, meta: {} },
      { kind: "highlight", t: 2_003, tabId: 9, url: B, text: "x" },
      { kind: "removed", t: 2_004, tabId: 9 },
    ),
  ).toEqual([]);
});
