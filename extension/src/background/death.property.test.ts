/** Whenever the worker dies: all that the browser said is told, once, in order and at its time. */
import "fake-indexeddb/auto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { STASH, type Stashed } from "../messages";
import { FakeBrowser, FakeNet, type Life, pass, stop, tab, turns, wake } from "./testing";

let world: FakeBrowser;
let net: FakeNet;

const begin = () => {
  world = new FakeBrowser();
  net = new FakeNet();
  vi.stubGlobal("fetch", net.fetch);
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_800_000_000_000 });
  vi.stubGlobal("navigator", { storage: { estimate: () => Promise.resolve({ usage: 0, quota: 1e12 }) } });
  begin();
});
afterEach(() => {
  vi.useRealTimers();
});

async function recording(): Promise<Life> {
  const life = await wake(world);
  await pass(100);
  await life.ask({ ask: "start" });
  await pass(50);
  return life;
}

async function stopped(life: Life) {
  await stop(life);
  return net.events;
}

const page = (number: number) => `https://1.example/${number}`;
/** Which pages were committed, and when. */
const commits = () => net.events.flatMap(({ type, url, t }) => (type === "NAV_COMMITTED" ? [[url, t]] : []));

test("what was stored is not told again though the browser has not struck it out yet", async () => {
  const first = await recording();
  const t = Date.now();
  world.removal = () => new Promise(() => undefined);
  first.commit(1, page(1), t);
  first.commit(1, page(2), t + 20);
  await pass(200);
  first.kill();
  world.removal = () => Promise.resolve();
  await stopped(await wake(world));
  expect(commits()).toEqual([
    [page(1), t],
    [page(2), t + 20],
  ]);
});

test("nor though the next life ends before the browser has struck anything out", async () => {
  const first = await recording();
  const t = Date.now();
  world.removal = () => new Promise(() => undefined);
  first.commit(1, page(1), t);
  first.commit(1, page(2), t + 20);
  await pass(200);
  first.kill();
  const second = await wake(world);
  await pass(1_000);
  second.kill();
  world.removal = () => Promise.resolve();
  await stopped(await wake(world));
  expect(commits()).toEqual([
    [page(1), t],
    [page(2), t + 20],
  ]);
});

test("nor though something of earlier is stored before it, and it gets another time by that", async () => {
  const first = await recording();
  await pass(200);
  const t = Date.now();
  world.removal = () => new Promise(() => undefined);
  first.commit(1, page(1), t);
  await pass(200);
  first.kill();
  world.removal = () => Promise.resolve();
  const second = await wake(world);
  second.activate(2);
  const { url } = tab(2);
  const marked = { kind: "highlight" as const, t: t - 100, url, text: "earlier", message: "two 1" };
  const shown = { kind: "shown" as const, t: t - 50, url, bornAt: 0, isFirst: false, message: "two 2" };
  second.say({ words: [marked, shown] }, tab(2));
  await pass(1_000);
  const events = await stopped(second);
  expect(commits()).toEqual([[page(1), t]]);
  expect(events.map(({ type }) => type)).toContain("HIGHLIGHT");
});

/** A commit, so many turns for what is under way, or the worker's end. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant("commit" as const) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 2, arbitrary: fc.constant("kill" as const) },
);

test("whenever it dies, every commit is told once, in order, at its time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 0, max: 20 }),
      async (before, after, lag) => {
        begin();
        world.removal = () => turns(lag);
        let life = await recording();
        const told: [string, number][] = [];
        // It dies in every run, whatever else comes about.
        for (const each of [...before, "kill" as const, ...after]) {
          vi.setSystemTime(Date.now() + 20);
          if (each === "kill") {
            life.kill();
            life = await wake(world);
          } else if (each === "commit") {
            told.push([page(told.length), Date.now()]);
            life.commit(1, page(told.length - 1));
          } else {
            await vi.advanceTimersByTimeAsync(each * 20);
            await turns(each);
          }
        }
        await pass(1_000);
        const events = await stopped(life);
        expect(commits()).toEqual(told);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

describe("what is with one alone", () => {
  test("what only the browser says is in the journal: a tab that is closed", async () => {
    const first = await recording();
    first.activate(2);
    await pass(100);
    const t = Date.now();
    world.tabs = [tab(1, { active: true })];
    first.tell(first.api.tabs.onRemoved, 2);
    first.kill(); // before it is stored
    vi.setSystemTime(t + 5_000);
    await stopped(await wake(world));
    expect(net.events.filter(({ type }) => type === "TAB_REMOVED")).toMatchObject([{ tabId: 2, t }]);
  });

  test("what only a page says is in the stash when the page is gone: a highlight", async () => {
    const first = await recording();
    first.kill();
    const t = Date.now();
    const said = { kind: "highlight" as const, t, url: page(1), text: "left at once", message: "gone 1" };
    const kept: Stashed = { word: said, place: { tabId: 1, windowId: 1 } };
    world.local.set(STASH + said.message, kept);
    await stopped(await wake(world));
    expect(net.events.filter(({ type }) => type === "HIGHLIGHT")).toMatchObject([{ t, url: page(1) }]);
    expect([...world.local.keys()].filter((key) => key.startsWith(STASH))).toEqual([]);
  });
});
