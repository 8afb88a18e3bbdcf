import { describe, expect, test } from "vitest";
import type { Observation } from "./observations";
import { SCRIPTS_REMEMBERED } from "./report-ids";
import { A, after, B, run, tab } from "./testing";

describe("reports instead of lost browser events", () => {
  const shown = (t: number, tabId: number, url: string, reportId = `${t}`): Observation => ({
    kind: "shown",
    t,
    tabId,
    windowId: 1,
    url,
    bornAt: t - 50,
    isFirst: false,
    isActive: true,
    reportId,
  });

  test("what is known is not recorded again", () => {
    const activated: Observation = { kind: "activated", t: 2_000, tabId: 2, windowId: 1 };
    expect(after(activated, shown(2_005, 2, B))).toHaveLength(1);
    expect(after(shown(2_005, 2, B), activated)).toHaveLength(1);
  });

  test("a lost activation is recorded from the page's report, with the page's time", () => {
    expect(after(shown(2_005, 2, B))).toEqual([
      { type: "TAB_ACTIVATED", t: 2_005, tabId: 2, windowId: 1, url: B },
    ]);
  });

  test("a lost commit is recorded from the page's report", () => {
    const events = after(shown(2_005, 2, "https://b.example/next"));
    expect(events.map(({ type, t, url }) => [type, t, url])).toEqual([
      ["NAV_COMMITTED", 1_955, "https://b.example/next"],
      ["TAB_ACTIVATED", 2_005, "https://b.example/next"],
    ]);
  });

  test("outdated reports are ignored", () => {
    const commit: Observation = { kind: "committed", t: 3_000, tabId: 1, url: B, isSameDocument: false };
    expect(after(commit, shown(2_900, 1, A)).map((event) => event.url)).toEqual([B]);
    const activated: Observation = { kind: "activated", t: 3_000, tabId: 2, windowId: 1 };
    expect(after(activated, shown(2_900, 1, A)).map((event) => event.tabId)).toEqual([2]);
  });

  test("a busy page's late report of its activation is ignored", () => {
    const activated: Observation = { kind: "activated", t: 3_000, tabId: 2, windowId: 1 };
    const late = (t: number): Observation => ({ ...shown(t, 1, A), isActive: false }) as Observation;
    expect(after(activated, late(3_100)).map((event) => event.tabId)).toEqual([2]);
    // So much later it was there, and the next tab is on its way.
    expect(after(activated, late(3_400)).map((event) => event.tabId)).toEqual([2, 1]);
  });

  test("a repeated report counts once", () => {
    const page: Observation = {
      kind: "content",
      t: 2_000,
      tabId: 1,
      url: A,
      content: "x",
      extractionOk: false,
      meta: {},
      reportId: "m 1",
    };
    const moved: Observation = { kind: "committed", t: 2_100, tabId: 1, url: `${A}x`, isSameDocument: true };
    expect(after(page, page, moved, page, { ...page, reportId: "m 2" }).map((event) => event.type)).toEqual([
      "CONTENT_EXTRACTED",
      "NAV_COMMITTED",
      "CONTENT_EXTRACTED",
    ]);
  });
});

describe("a report that the previous worker left behind", () => {
  const highlight: Observation = {
    kind: "highlight",
    t: 1_500,
    tabId: 1,
    url: A,
    text: "swifts",
    reportId: "a 1",
  };
  const left: Observation = { kind: "moved", t: 2_100, tabId: 1, url: B, reportId: "b 1" };
  const went: Observation = { kind: "committed", t: 2_000, tabId: 1, url: B, isSameDocument: false };
  const types = (...observations: Observation[]) => after(...observations).map((event) => event.type);

  test("counts once, though the next page has reported since", () => {
    expect(types(highlight, went, left, highlight, highlight)).toEqual(["HIGHLIGHT", "NAV_COMMITTED"]);
  });

  test("counts once, though its tab is closed", () => {
    const closed: Observation = { kind: "removed", t: 2_000, tabId: 1 };
    expect(types(highlight, closed, highlight)).toEqual(["HIGHLIGHT", "TAB_REMOVED"]);
  });

  test("counts once, though the browser was restarted", () => {
    const restarted: Observation = {
      kind: "snapshot",
      t: 3_000,
      tabs: [tab(7, A, { isActive: true })],
      focusedWindowId: 1,
      isRestart: true,
    };
    expect(types(highlight, restarted, highlight).filter((type) => type === "HIGHLIGHT")).toHaveLength(1);
  });

  test("only the most recent scripts are remembered", () => {
    const others = Array.from({ length: 200 }, (_, n) => ({
      ...highlight,
      t: 1_600 + n,
      text: `${n}`,
      reportId: `s${n} 1`,
    }));
    expect(run([highlight, ...others]).state.heard).toHaveLength(SCRIPTS_REMEMBERED);
  });
});

test("a highlight is recorded once, whichever way it was made", () => {
  const highlighted: Observation = { kind: "highlight", t: 2_000, tabId: 1, url: A, text: "  words " };
  expect(after(highlighted, { ...highlighted, t: 2_500 })).toEqual([
    { type: "HIGHLIGHT", t: 2_000, tabId: 1, url: A, payload: { text: "words" } },
  ]);
});

test("text is cut without leaving an unpaired surrogate", () => {
  const [event] = after({
    kind: "content",
    t: 2_000,
    tabId: 1,
    url: A,
    content: `${"x".repeat(9_999)}😀`,
    extractionOk: true,
    meta: { title: "\ud83d", description: "" },
  });
  expect(event?.payload?.content).toBe(`${"x".repeat(9_999)}\ufffd`);
  expect(event?.payload?.meta).toEqual({ title: "\ufffd" });
});
