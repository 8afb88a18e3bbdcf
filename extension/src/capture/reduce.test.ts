import { describe, expect, test } from "vitest";
import {
  type CaptureState,
  type Captured,
  type Happening,
  NOTHING_KNOWN,
  type OpenTab,
  type Rules,
} from "./model";
import { ALIVE_AFTER_MS, HOP_MS, reduce } from "./reduce";

const RULES: Rules = { excluded: ["bank.example"], only: null };
const A = "https://a.example/";
const B = "https://b.example/b";

const tab = (id: number, url: string, more: Partial<OpenTab> = {}): OpenTab => ({
  id,
  windowId: 1,
  isActive: false,
  isPrivate: false,
  url,
  ...more,
});

function run(happenings: readonly Happening[], rules = RULES, start: CaptureState = NOTHING_KNOWN) {
  let state = start;
  const events: Captured[] = [];
  for (const happening of happenings) {
    const reduced = reduce(state, happening, rules);
    state = reduced.state;
    events.push(...reduced.events);
  }
  return { state, events };
}

const begun = run([
  {
    kind: "survey",
    t: 1_000,
    tabs: [tab(1, A, { isActive: true, title: "A" }), tab(2, B)],
    focusedWindowId: 1,
    isRestart: false,
  },
]);
const after = (...happenings: Happening[]) => run(happenings, RULES, begun.state).events;

describe("surveys", () => {
  test("a recording begins with the active tab of each window and the focus", () => {
    const tabs = [
      tab(1, A, { isActive: true, title: "A" }),
      tab(2, B),
      tab(3, B, { isActive: true, windowId: 2 }),
    ];
    expect(run([{ kind: "survey", t: 5, tabs, focusedWindowId: 2, isRestart: false }]).events).toEqual([
      { type: "TAB_ACTIVATED", t: 5, tabId: 1, windowId: 1, url: A, payload: { title: "A" } },
      { type: "TAB_ACTIVATED", t: 5, tabId: 3, windowId: 2, url: B },
      { type: "WINDOW_FOCUS_CHANGED", t: 5, windowId: 2, payload: { focused: true } },
    ]);
  });

  test("the same survey again says nothing", () => {
    const again: Happening = {
      kind: "survey",
      t: 2_000,
      tabs: [tab(1, A, { isActive: true }), tab(2, B)],
      focusedWindowId: 1,
      isRestart: false,
    };
    expect(after(again)).toEqual([]);
  });

  test("after a restart all is told anew, and the first event says so", () => {
    const tabs = [tab(7, B, { isActive: true, windowId: 3 })];
    expect(after({ kind: "survey", t: 9_000, tabs, focusedWindowId: 3, isRestart: true })).toEqual([
      { type: "TAB_ACTIVATED", t: 9_000, tabId: 7, windowId: 3, url: B, payload: { restart: true } },
      { type: "WINDOW_FOCUS_CHANGED", t: 9_000, windowId: 3, payload: { focused: true } },
    ]);
  });

  test("a restart without any tab is told by the focus", () => {
    expect(after({ kind: "survey", t: 9_000, tabs: [], focusedWindowId: -1, isRestart: true })).toEqual([
      { type: "WINDOW_FOCUS_CHANGED", t: 9_000, windowId: -1, payload: { focused: false, restart: true } },
    ]);
  });

  test("what was missed is mended: a tab closed, another in front, its page changed", () => {
    const tabs = [tab(2, "https://b.example/c", { isActive: true })];
    expect(after({ kind: "survey", t: 3_000, tabs, focusedWindowId: 1, isRestart: false })).toEqual([
      { type: "TAB_REMOVED", t: 3_000, tabId: 1 },
      { type: "TAB_ACTIVATED", t: 3_000, tabId: 2, windowId: 1, url: "https://b.example/c" },
    ]);
  });

  test("a page that has become excluded is taken back", () => {
    const rules = { ...RULES, excluded: ["a.example"] };
    const tabs = [tab(1, A, { isActive: true }), tab(2, B)];
    const survey: Happening = { kind: "survey", t: 3_000, tabs, focusedWindowId: 1, isRestart: false };
    expect(run([survey], rules, begun.state).events).toEqual([
      { type: "NAV_COMMITTED", t: 3_000, tabId: 1, windowId: 1 },
    ]);
  });
});

describe("tabs", () => {
  test("a tab in front brings its page and its title along", () => {
    const events = after(
      { kind: "settled", t: 1_500, tabId: 2, title: "Bee" },
      { kind: "activated", t: 2_000, tabId: 2, windowId: 1 },
    );
    expect(events).toEqual([
      { type: "TAB_ACTIVATED", t: 2_000, tabId: 2, windowId: 1, url: B, payload: { title: "Bee" } },
    ]);
  });

  test("what a worker that was held up hears of at once was in front one after the other", () => {
    const show = (tabId: number): Happening => ({ kind: "activated", t: 2_000, tabId, windowId: 1 });
    const events = after(show(2), show(1), show(2), { ...show(1), t: 2_001 });
    expect(events.map(({ t, tabId }) => [t, tabId])).toEqual([
      [2_000, 2],
      [2_001, 1],
      [2_002, 2],
      [2_003, 1],
    ]);
  });

  test("a clock that is set back is followed", () => {
    const events = after(
      { kind: "activated", t: 9_000_000, tabId: 2, windowId: 1 },
      { kind: "activated", t: 5_000_000, tabId: 1, windowId: 1 },
    );
    expect(events.map(({ t }) => t)).toEqual([9_000_000, 5_000_000]);
  });

  test("a new tab is no page until one is committed, and says once where it came from", () => {
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
        payload: { transition: "link", openerTabId: 1 },
      },
      { type: "NAV_COMMITTED", t: 9_000, tabId: 5, windowId: 1, url: A, payload: { transition: "link" } },
    ]);
  });

  test("a closed tab is told once", () => {
    const removed: Happening = { kind: "removed", t: 2_000, tabId: 1 };
    expect(after(removed, removed)).toEqual([{ type: "TAB_REMOVED", t: 2_000, tabId: 1 }]);
  });

  test("a tab that takes another's place comes to the front in it", () => {
    expect(after({ kind: "replaced", t: 2_000, tabId: 8, removedTabId: 1 })).toEqual([
      { type: "TAB_REMOVED", t: 2_000, tabId: 1 },
      { type: "TAB_ACTIVATED", t: 2_000, tabId: 8, windowId: 1 },
    ]);
  });

  test("a tab that was moved is told with its new window", () => {
    const events = after(
      { kind: "attached", t: 2_000, tabId: 1, windowId: 4 },
      { kind: "activated", t: 2_001, tabId: 1, windowId: 4 },
    );
    expect(events).toEqual([
      { type: "TAB_ACTIVATED", t: 2_001, tabId: 1, windowId: 4, url: A, payload: { title: "A" } },
    ]);
  });

  test("private tabs are never spoken of", () => {
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
});

describe("navigation", () => {
  const commit = (t: number, url: string, qualifiers: string[] = [], isSameDocument = false): Happening => ({
    kind: "committed",
    t,
    tabId: 1,
    url,
    isSameDocument,
    transition: "link",
    qualifiers,
  });
  const flags = (...happenings: Happening[]) =>
    after(...happenings).map((event) => event.payload?.redirect === true);

  test("a page that sends on at once was a step", () => {
    expect(flags(commit(5_000, B), commit(5_300, "https://c.example/", ["client_redirect"]))).toEqual([
      false,
      true,
    ]);
  });

  test("a page that was read before it sent on was a page", () => {
    expect(
      flags(commit(5_000, B), commit(5_001 + HOP_MS, "https://c.example/", ["client_redirect"])),
    ).toEqual([false, false]);
  });

  test("a redirect by the server has no step to take over", () => {
    expect(flags(commit(5_000, B), commit(5_100, "https://c.example/", ["server_redirect"]))).toEqual([
      false,
      false,
    ]);
  });

  test("the page that was there before the recording is no step", () => {
    expect(flags(commit(1_100, B, ["client_redirect"]))).toEqual([false]);
  });

  test("routes of an application that was reached by a redirect are pages, however soon they are left", () => {
    const hop = ["client_redirect"];
    expect(
      flags(
        commit(5_000, B),
        commit(5_300, A, hop),
        commit(5_800, `${A}one`, hop, true),
        commit(6_300, `${A}two`, hop, true),
      ),
    ).toEqual([false, true, false, false]);
  });

  test("an address that a script tidies up is told as often as it changes, and its document is sent on all the same", () => {
    const events = after(
      commit(5_000, `${B}?from=mail`),
      commit(5_020, `${B}?from`, [], true),
      commit(5_020, B, [], true),
      commit(5_300, `${A}next`, ["client_redirect"]),
    );
    expect(events.map(({ url, payload }) => [url, payload?.redirect])).toEqual([
      [`${B}?from=mail`, undefined],
      [`${B}?from`, undefined],
      [B, undefined],
      [`${A}next`, true],
    ]);
  });

  test("routes of an application are pages; the same address again is not", () => {
    const events = after(
      commit(5_000, `${A}route`, [], true),
      commit(5_100, `${A}route#part`, [], true),
      commit(5_200, `${A}other?q=1`, [], true),
    );
    expect(events.map((event) => event.url)).toEqual([`${A}route`, `${A}other?q=1`]);
  });

  test("a page that settles elsewhere than it was committed is told", () => {
    const events = after(commit(5_000, B), { kind: "settled", t: 6_000, tabId: 1, url: A, title: "A" });
    expect(events.map((event) => [event.t, event.url])).toEqual([
      [5_000, B],
      [6_000, A],
    ]);
  });

  test("a load that is told of twice is one, and a reload is another", () => {
    const events = after(commit(5_000, B), commit(5_000, B), commit(5_001, B));
    expect(events.map(({ t }) => t)).toEqual([5_000, 5_001]);
  });

  test("a page that is left before it was read has told its title", () => {
    const events = after(
      commit(5_000, B),
      { kind: "settled", t: 5_080, tabId: 1, title: "Bee" },
      { kind: "settled", t: 5_085, tabId: 1, title: "Bee (1)" },
      { kind: "settled", t: 5_090, tabId: 1, url: B, title: "Bee (1)" },
      commit(5_100, "https://c.example/"),
    );
    expect(events.map(({ type, t, url, payload }) => [type, t, url, payload?.title])).toEqual([
      ["NAV_COMMITTED", 5_000, B, undefined],
      ["NAV_COMMITTED", 5_080, B, "Bee"],
      ["NAV_COMMITTED", 5_100, "https://c.example/", undefined],
    ]);
  });

  test("a route does not tell the title of the one before", () => {
    const events = after(commit(5_000, `${A}route`, [], true), {
      kind: "settled",
      t: 5_010,
      tabId: 1,
      url: `${A}route`,
      title: "A",
    });
    expect(events.map((event) => event.payload)).toEqual([{ transition: "link" }]);
  });

  test("what may not be named has neither address nor title", () => {
    const events = after(
      commit(5_000, "https://my.bank.example/account"),
      { kind: "settled", t: 5_100, tabId: 1, title: "Balance: 3" },
      { kind: "activated", t: 5_100, tabId: 2, windowId: 1 },
      { kind: "activated", t: 5_200, tabId: 1, windowId: 1 },
      {
        kind: "content",
        t: 5_300,
        tabId: 1,
        url: "https://bank.example/",
        content: "3",
        extractionOk: true,
        meta: {},
      },
      { kind: "highlight", t: 5_400, tabId: 1, url: "https://bank.example/", text: "3" },
      commit(5_500, "https://bank.example./again"),
      commit(5_600, "chrome://settings/"),
    );
    expect(events).toEqual([
      { type: "NAV_COMMITTED", t: 5_000, tabId: 1, windowId: 1 },
      { type: "TAB_ACTIVATED", t: 5_100, tabId: 2, windowId: 1, url: B },
      { type: "TAB_ACTIVATED", t: 5_200, tabId: 1, windowId: 1 },
    ]);
  });

  test("only what is on the list is named, where there is one", () => {
    const rules: Rules = { excluded: [], only: ["b.example"] };
    const events = run([commit(1, A), commit(2, B), commit(3, "https://www.b.example/x")], rules).events;
    expect(events.map((event) => event.url)).toEqual([undefined, B, "https://www.b.example/x"]);
  });

  test("credentials and fragments stay here", () => {
    expect(after(commit(5_000, "https://me:secret@b.example/#token=1"))[0]?.url).toBe("https://b.example/");
  });
});

describe("what pages say of themselves", () => {
  const shown = (t: number, tabId: number, url: string, message = `${t}`): Happening => ({
    kind: "shown",
    t,
    tabId,
    windowId: 1,
    url,
    bornAt: t - 50,
    isFirst: false,
    isActive: true,
    message,
  });

  test("what is known is not told again", () => {
    const activated: Happening = { kind: "activated", t: 2_000, tabId: 2, windowId: 1 };
    expect(after(activated, shown(2_005, 2, B))).toHaveLength(1);
    expect(after(shown(2_005, 2, B), activated)).toHaveLength(1);
  });

  test("a switch that was lost is told by the page, with its own time", () => {
    expect(after(shown(2_005, 2, B))).toEqual([
      { type: "TAB_ACTIVATED", t: 2_005, tabId: 2, windowId: 1, url: B },
    ]);
  });

  test("a page that was lost is told by itself", () => {
    const events = after(shown(2_005, 2, "https://b.example/next"));
    expect(events.map(({ type, t, url }) => [type, t, url])).toEqual([
      ["NAV_COMMITTED", 1_955, "https://b.example/next"],
      ["TAB_ACTIVATED", 2_005, "https://b.example/next"],
    ]);
  });

  test("what was overtaken counts no more", () => {
    const commit: Happening = { kind: "committed", t: 3_000, tabId: 1, url: B, isSameDocument: false };
    expect(after(commit, shown(2_900, 1, A)).map((event) => event.url)).toEqual([B]);
    const activated: Happening = { kind: "activated", t: 3_000, tabId: 2, windowId: 1 };
    expect(after(activated, shown(2_900, 1, A)).map((event) => event.tabId)).toEqual([2]);
  });

  test("a busy page that hears late of having been in front is not believed", () => {
    const activated: Happening = { kind: "activated", t: 3_000, tabId: 2, windowId: 1 };
    const late = (t: number): Happening => ({ ...shown(t, 1, A), isActive: false }) as Happening;
    expect(after(activated, late(3_100)).map((event) => event.tabId)).toEqual([2]);
    // So much later it was there, and the next tab is on its way.
    expect(after(activated, late(3_400)).map((event) => event.tabId)).toEqual([2, 1]);
  });

  test("what is said again is heard once", () => {
    const page: Happening = {
      kind: "content",
      t: 2_000,
      tabId: 1,
      url: A,
      content: "x",
      extractionOk: false,
      meta: {},
      message: "m 1",
    };
    const moved: Happening = { kind: "committed", t: 2_100, tabId: 1, url: `${A}x`, isSameDocument: true };
    expect(after(page, page, moved, page, { ...page, message: "m 2" }).map((event) => event.type)).toEqual([
      "CONTENT_EXTRACTED",
      "NAV_COMMITTED",
      "CONTENT_EXTRACTED",
    ]);
  });
});

describe("what a life before had not struck out", () => {
  const mark: Happening = { kind: "highlight", t: 1_500, tabId: 1, url: A, text: "swifts", message: "a 1" };
  const left: Happening = { kind: "moved", t: 2_100, tabId: 1, url: B, message: "b 1" };
  const went: Happening = { kind: "committed", t: 2_000, tabId: 1, url: B, isSameDocument: false };
  const types = (...happenings: Happening[]) => after(...happenings).map((event) => event.type);

  test("is heard once, though the next page has spoken since", () => {
    expect(types(mark, went, left, mark, mark)).toEqual(["HIGHLIGHT", "NAV_COMMITTED"]);
  });

  test("is heard once, though its tab is gone", () => {
    const closed: Happening = { kind: "removed", t: 2_000, tabId: 1 };
    expect(types(mark, closed, mark)).toEqual(["HIGHLIGHT", "TAB_REMOVED"]);
  });

  test("is heard once, though the browser was started anew", () => {
    const anew: Happening = {
      kind: "survey",
      t: 3_000,
      tabs: [tab(7, A, { isActive: true })],
      focusedWindowId: 1,
      isRestart: true,
    };
    expect(types(mark, anew, mark).filter((type) => type === "HIGHLIGHT")).toHaveLength(1);
  });

  test("of very many scripts only the last are remembered", () => {
    const others = Array.from({ length: 200 }, (_, n) => ({
      ...mark,
      t: 1_600 + n,
      text: `${n}`,
      message: `s${n} 1`,
    }));
    expect(run([mark, ...others]).state.heard).toHaveLength(64);
  });
});

describe("the rest", () => {
  test("focus and idleness are told when they change", () => {
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

  test("a highlight is told once, whichever way it was made", () => {
    const marked: Happening = { kind: "highlight", t: 2_000, tabId: 1, url: A, text: "  words " };
    expect(after(marked, { ...marked, t: 2_500 })).toEqual([
      { type: "HIGHLIGHT", t: 2_000, tabId: 1, url: A, payload: { text: "words" } },
    ]);
  });

  test("text is cut, and never in the middle of a character", () => {
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
});
