import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewEvent } from "./events";
import { NO_TAB, type Observation } from "./observations";
import { type CaptureState, NOTHING_KNOWN } from "./state";
import { reorder } from "./reorder";
import { reduce } from "./reduce";

const RULES = { excluded: [], only: null };
const url = (tabId: number) => `https://${"xabcd"[tabId] ?? "x"}.example/`;
const activated = (t: number, tabId: number): Observation => ({ kind: "activated", t, tabId, windowId: 1 });
const shown = (t: number, tabId: number, number: number, isFirst = false): Observation => ({
  kind: "shown",
  t,
  tabId,
  windowId: 1,
  url: url(tabId),
  bornAt: 0,
  isFirst,
  isActive: false,
  reportId: `s${tabId} ${number}`,
});
const known: CaptureState = {
  ...NOTHING_KNOWN,
  tabs: Object.fromEntries([1, 2, 3].map((id) => [id, { windowId: 1, url: url(id) }])),
  active: { 1: 1 },
  focusedWindowId: 1,
};

function events(...observed: Observation[]): NewEvent[] {
  let state = known;
  const found: NewEvent[] = [];
  for (const { observation } of reorder(observed.map((observation) => ({ observation })))) {
    const done = reduce(state, observation, RULES);
    state = done.state;
    found.push(...done.events);
  }
  return found;
}

/** Which tab was activated or navigated when, according to the events. */
function stays(...observed: Observation[]): [number | null | undefined, number][] {
  return events(...observed).map(({ tabId, t }) => [tabId, t]);
}

describe("observations around a worker's start", () => {
  test("late browser events take their times from the pages' reports", () => {
    expect(stays(activated(1_300, 2), activated(1_301, 3), shown(1_040, 2, 1), shown(1_100, 3, 1))).toEqual([
      [2, 1_040],
      [3, 1_100],
    ]);
  });

  test("what only the page has reported is sorted in", () => {
    expect(stays(activated(1_100, 3), shown(1_120, 3, 1), shown(1_040, 2, 1))).toEqual([
      [2, 1_040],
      [3, 1_120],
    ]);
  });

  test("one of two activations was lost", () => {
    expect(stays(activated(1_000, 2), shown(1_010, 2, 1), shown(1_100, 3, 1), shown(1_200, 2, 2))).toEqual([
      [2, 1_010],
      [3, 1_100],
      [2, 1_200],
    ]);
  });

  test("an earlier report is not matched with a later activation", () => {
    const activations = [activated(1_000, 3), activated(1_200, 2), activated(1_300, 3)];
    expect(stays(...activations, shown(1_005, 3, 1), shown(1_210, 2, 1))).toEqual([
      [3, 1_005],
      [2, 1_210],
      [3, 1_300],
    ]);
    expect(stays(activated(1_000, 3), activated(1_100, 2), shown(1_100, 2, 1), shown(1_300, 3, 2))).toEqual([
      [3, 1_000],
      [2, 1_100],
      [3, 1_300],
    ]);
  });

  test("a tab without a content script stays before the one that followed it", () => {
    expect(stays(activated(1_300, 9), activated(1_301, 3), shown(1_100, 3, 1))).toEqual([
      [9, 1_099],
      [3, 1_100],
    ]);
  });

  test("a repeated report counts once, preferably one whose tab is known", () => {
    const [report, repeated] = [shown(1_000, 2, 1), { ...shown(1_000, 2, 1), tabId: NO_TAB } as Observation];
    expect(reorder([repeated, report, repeated].map((observation) => ({ observation })))).toHaveLength(1);
    expect(stays(repeated, report, repeated)).toEqual([[2, 1_000]]);
  });

  test("a page that was closed before it knew its tab was in the active one", () => {
    const gone = { ...shown(1_100, 1, 1, true), tabId: NO_TAB, url: "https://new.example/", bornAt: 1_050 };
    expect(stays(gone as Observation)).toEqual([[1, 1_050]]);
  });

  test("if it reports an activation, it was in the tab with its URL", () => {
    expect(stays({ ...shown(1_100, 2, 1), tabId: NO_TAB } as Observation)).toEqual([[2, 1_100]]);
    const strange = { ...shown(1_100, 2, 1), tabId: NO_TAB, url: "https://strange.example/" };
    expect(stays(strange as Observation)).toEqual([]);
  });

  const committed = (t: number, to: string, isSameDocument = false): Observation => ({
    kind: "committed",
    t,
    tabId: 1,
    url: to,
    isSameDocument,
    transition: "link",
  });
  const [NEW, NEXT] = ["https://new.example/", "https://new.example/next"];

  test("a page that reports before the browser announces it is recorded once, from the browser's event", () => {
    const first = { ...shown(1_100, 1, 1, true), url: NEW, bornAt: 1_080 } as Observation;
    for (const tabId of [1, NO_TAB])
      expect(events({ ...first, tabId } as Observation, committed(1_130, NEW))).toEqual([
        {
          type: "NAV_COMMITTED",
          t: 1_100,
          tabId: 1,
          windowId: 1,
          url: NEW,
          payload: { transition: "link", newDocument: true },
        },
      ]);
  });

  test("so are routes, back and forth", () => {
    const moved = (t: number, number: number, to: string): Observation => ({
      kind: "moved",
      t,
      tabId: 1,
      url: to,
      reportId: `s1 ${number}`,
    });
    const browser = [committed(1_160, NEXT, true), committed(1_170, NEW, true)];
    expect(stays(moved(1_100, 1, NEXT), moved(1_150, 2, NEW), ...browser)).toEqual([
      [1, 1_100],
      [1, 1_150],
    ]);
  });

  test("a reloaded page is recorded again", () => {
    const first = { ...shown(1_100, 1, 1, true), url: NEW } as Observation;
    expect(events(committed(1_090, NEW), first, committed(1_500, NEW)).map(({ t }) => t)).toEqual([
      1_090, 1_500,
    ]);
  });

  test("a highlight with an earlier time does not overtake its page's earlier reports", () => {
    const highlight: Observation = {
      kind: "highlight",
      t: 900,
      tabId: 2,
      url: url(2),
      text: "words",
      reportId: "s2 2",
    };
    expect(stays(shown(1_000, 2, 1), highlight)).toEqual([
      [2, 1_000],
      [2, 900],
    ]);
  });
});

/** Activations, each with the delay of the browser event, and whether that event is lost. */
const journey = fc.array(
  fc.record({
    tab: fc.integer({ min: 1, max: 3 }),
    pause: fc.integer({ min: 60, max: 400 }),
    isLost: fc.boolean(),
    late: fc.integer({ min: 0, max: 300 }),
    repeats: fc.integer({ min: 1, max: 2 }),
  }),
  { minLength: 1, maxLength: 20 },
);

test("every activation is recorded once, whatever browser events were lost", () => {
  fc.assert(
    fc.property(journey, (steps) => {
      let [front, t, noticedAt] = [1, 1_000, 0];
      const counts = new Map<number, number>();
      const [events, reports, expected]: [Observation[], Observation[], [number, number][]] = [[], [], []];
      for (const { tab, pause, isLost, late, repeats } of steps) {
        if (tab === front) continue;
        front = tab;
        t += pause;
        const number = (counts.get(tab) ?? 0) + 1;
        counts.set(tab, number);
        noticedAt = Math.max(noticedAt, t + late); // a starting worker gets all events once it runs
        if (!isLost) events.push(activated(noticedAt, tab));
        for (let time = 0; time < repeats; time++) reports.push(shown(t, tab, number));
        expected.push([tab, t]);
      }
      expect(stays(...events, ...reports)).toEqual(expected);
    }),
  );
});
