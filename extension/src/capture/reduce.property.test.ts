/** A random browser, and what the reducer makes of it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "./events";
import { recordableUrl, type Rules } from "./exclusions";
import type { Observation, OpenTab } from "./observations";
import { reduce } from "./reduce";
import { type CaptureState, NOTHING_KNOWN } from "./state";

const RULES: Rules = { excluded: ["secret.example"], only: null };
const URLS = [
  "https://a.example/1",
  "https://a.example/2",
  "https://b.example/",
  "https://secret.example/x",
  "about:blank",
];

/** Tabs and focus of a browser that reports its events as browsers do. */
class Model {
  tabs = new Map<number, { windowId: number; url: string; isPrivate: boolean }>();
  active = new Map<number, number>();
  focused = 1;
  private nextId = 1;

  open(windowId: number, url: string, isPrivate: boolean): Observation[] {
    const id = this.nextId++;
    // Private tabs live in windows of their own.
    const inWindow = isPrivate ? windowId + 10 : windowId;
    this.tabs.set(id, { windowId: inWindow, url, isPrivate });
    this.active.set(inWindow, id);
    return [
      { kind: "created", t: 0, tabId: id, windowId: inWindow, isPrivate },
      { kind: "activated", t: 0, tabId: id, windowId: inWindow },
      { kind: "committed", t: 0, tabId: id, url, isSameDocument: false },
    ];
  }

  close(id: number): Observation[] {
    const tab = this.tabs.get(id);
    if (tab === undefined) return [];
    this.tabs.delete(id);
    const observed: Observation[] = [{ kind: "removed", t: 0, tabId: id }];
    if (this.active.get(tab.windowId) !== id) return observed;
    this.active.delete(tab.windowId);
    const [next] = [...this.tabs].filter(([, other]) => other.windowId === tab.windowId);
    return next === undefined ? observed : [...observed, ...this.show(next[0])];
  }

  show(id: number): Observation[] {
    const tab = this.tabs.get(id);
    if (tab === undefined) return [];
    this.active.set(tab.windowId, id);
    return [{ kind: "activated", t: 0, tabId: id, windowId: tab.windowId }];
  }

  go(id: number, url: string, isSameDocument: boolean): Observation[] {
    const tab = this.tabs.get(id);
    if (tab === undefined) return [];
    tab.url = url;
    return [{ kind: "committed", t: 0, tabId: id, url, isSameDocument }];
  }

  focus(windowId: number): Observation[] {
    this.focused = windowId;
    return [{ kind: "focused", t: 0, windowId }];
  }

  snapshot(isRestart = false): Observation {
    const tabs: OpenTab[] = [...this.tabs].map(([id, { windowId, url, isPrivate }]) => ({
      id,
      windowId,
      url,
      isPrivate,
      isActive: this.active.get(windowId) === id,
    }));
    return { kind: "snapshot", t: 0, tabs, focusedWindowId: this.focused, isRestart };
  }
}

const act = fc.oneof(
  fc.record({
    act: fc.constant("open" as const),
    windowId: fc.integer({ min: 1, max: 2 }),
    url: fc.constantFrom(...URLS),
    isPrivate: fc.boolean(),
  }),
  fc.record({ act: fc.constant("close" as const), id: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ act: fc.constant("show" as const), id: fc.integer({ min: 1, max: 8 }) }),
  fc.record({
    act: fc.constant("go" as const),
    id: fc.integer({ min: 1, max: 8 }),
    url: fc.constantFrom(...URLS),
    isSameDocument: fc.boolean(),
  }),
  fc.record({ act: fc.constant("focus" as const), windowId: fc.constantFrom(-1, 1, 2) }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

function perform(model: Model, done: Act): Observation[] {
  switch (done.act) {
    case "open":
      return model.open(done.windowId, done.url, done.isPrivate);
    case "close":
      return model.close(done.id);
    case "show":
      return model.show(done.id);
    case "go":
      return model.go(done.id, done.url, done.isSameDocument);
    case "focus":
      return model.focus(done.windowId);
  }
}

/** The active page according to the events, as in the server's `timeline/fold.py`. */
function activeFromEvents(events: readonly NewEvent[]): string | null {
  const tabs = new Map<number, { windowId: number; url: string | null }>();
  const active = new Map<number, number>();
  let focused: number | null = null;
  for (const { type, tabId, windowId, url } of events) {
    if (type === "WINDOW_FOCUS_CHANGED") focused = windowId ?? null;
    if (typeof tabId !== "number") continue;
    if (type === "TAB_REMOVED") {
      const gone = tabs.get(tabId);
      tabs.delete(tabId);
      if (gone !== undefined && active.get(gone.windowId) === tabId) active.delete(gone.windowId);
    }
    if (type === "TAB_ACTIVATED" || type === "NAV_COMMITTED") {
      const inWindow = windowId ?? tabs.get(tabId)?.windowId ?? 0;
      tabs.set(tabId, { windowId: inWindow, url: url ?? null });
      if (type === "TAB_ACTIVATED") active.set(inWindow, tabId); // a navigation never makes a tab active
    }
  }
  const tab = focused === null ? undefined : active.get(focused);
  return tab === undefined ? null : (tabs.get(tab)?.url ?? null);
}

function activePage(model: Model): string | null {
  const id = model.active.get(model.focused);
  const tab = id === undefined ? undefined : model.tabs.get(id);
  return tab === undefined || tab.isPrivate ? null : recordableUrl(tab.url, RULES);
}

test("the server sees the active page, whatever happened and whatever was missed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(act, fc.boolean()), { maxLength: 40 }),
      fc.integer({ min: 0, max: 10 }),
      (acts, before) => {
        const model = new Model();
        for (const [done] of acts.slice(0, before)) perform(model, done);
        let state: CaptureState = NOTHING_KNOWN;
        const events: NewEvent[] = [];
        const take = (observation: Observation) => {
          const reduced = reduce(state, observation, RULES);
          state = reduced.state;
          events.push(...reduced.events);
        };
        take(model.snapshot());
        expect(activeFromEvents(events)).toBe(activePage(model));
        for (const [done, isMissed] of acts.slice(before)) {
          const observations = perform(model, done);
          if (isMissed) take(model.snapshot());
          else observations.forEach(take);
          expect(activeFromEvents(events)).toBe(activePage(model));
          // Nothing was missed, so there is nothing to catch up on.
          expect(reduce(state, model.snapshot(), RULES).events).toEqual([]);
        }
        expect(JSON.stringify(events)).not.toContain("secret");
        const hidden = new Set([...model.tabs].filter(([, tab]) => tab.isPrivate).map(([id]) => id));
        expect(events.filter((event) => typeof event.tabId === "number" && hidden.has(event.tabId))).toEqual(
          [],
        );
      },
    ),
    { numRuns: 500 },
  );
});
