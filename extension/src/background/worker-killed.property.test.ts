/** Whenever the worker is killed: everything the browser announced is recorded once, in order, with its time. */
import "fake-indexeddb/auto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isUnsentReportKey, type UnsentReport, unsentReportKey } from "../storage/unsent-reports";
import {
  advance,
  type FakeBrowser,
  type FakeHttpServer,
  type FakeWorker,
  setUp,
  startRecording,
  startWorker,
  stop,
  tab,
  ticks,
} from "./testing";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const recording = () => startRecording(browser);

async function stopped(worker: FakeWorker) {
  await stop(worker);
  return server.events;
}

const page = (number: number) => `https://1.example/${number}`;
/** Which pages were committed, and when. */
const commits = () =>
  server.events.flatMap(({ type, url, t }) => (type === "NAV_COMMITTED" ? [[url, t]] : []));

test("what was stored is not stored again if the browser has not removed it from the log yet", async () => {
  const first = await recording();
  const t = Date.now();
  browser.removal = () => new Promise(() => undefined);
  first.commit(1, page(1), t);
  first.commit(1, page(2), t + 20);
  await advance(200);
  first.kill();
  browser.removal = () => Promise.resolve();
  await stopped(await startWorker(browser));
  expect(commits()).toEqual([
    [page(1), t],
    [page(2), t + 20],
  ]);
});

test("nor if the next worker is killed before the browser has removed anything", async () => {
  const first = await recording();
  const t = Date.now();
  browser.removal = () => new Promise(() => undefined);
  first.commit(1, page(1), t);
  first.commit(1, page(2), t + 20);
  await advance(200);
  first.kill();
  const second = await startWorker(browser);
  await advance(1_000);
  second.kill();
  browser.removal = () => Promise.resolve();
  await stopped(await startWorker(browser));
  expect(commits()).toEqual([
    [page(1), t],
    [page(2), t + 20],
  ]);
});

test("nor if an earlier observation is stored before it and changes its time", async () => {
  const first = await recording();
  await advance(200);
  const t = Date.now();
  browser.removal = () => new Promise(() => undefined);
  first.commit(1, page(1), t);
  await advance(200);
  first.kill();
  browser.removal = () => Promise.resolve();
  const second = await startWorker(browser);
  second.activate(2);
  const { url } = tab(2);
  const highlight = { kind: "highlight" as const, t: t - 100, url, text: "earlier", reportId: "two 1" };
  const shown = { kind: "shown" as const, t: t - 50, url, bornAt: 0, isFirst: false, reportId: "two 2" };
  second.report({ reports: [highlight, shown] }, tab(2));
  await advance(1_000);
  const events = await stopped(second);
  expect(commits()).toEqual([[page(1), t]]);
  expect(events.map(({ type }) => type)).toContain("HIGHLIGHT");
});

/** A commit, a number of event loop ticks, or the worker is killed. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant("commit" as const) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 2, arbitrary: fc.constant("kill" as const) },
);

test("whenever the worker is killed, every commit is recorded once, in order, with its time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 0, max: 20 }),
      async (before, after, lag) => {
        ({ browser, server } = setUp());
        browser.removal = () => ticks(lag);
        let worker = await recording();
        const expected: [string, number][] = [];
        // It is killed in every run, whatever else happens.
        for (const each of [...before, "kill" as const, ...after]) {
          vi.setSystemTime(Date.now() + 20);
          if (each === "kill") {
            worker.kill();
            worker = await startWorker(browser);
          } else if (each === "commit") {
            expected.push([page(expected.length), Date.now()]);
            worker.commit(1, page(expected.length - 1));
          } else {
            await vi.advanceTimersByTimeAsync(each * 20);
            await ticks(each);
          }
        }
        await advance(1_000);
        const events = await stopped(worker);
        expect(commits()).toEqual(expected);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

describe("known from one source only", () => {
  test("the browser: a closed tab is in the write-ahead log", async () => {
    const first = await recording();
    first.activate(2);
    await advance(100);
    const t = Date.now();
    browser.tabs = [tab(1, { active: true })];
    first.emit(first.api.tabs.onRemoved, 2);
    first.kill(); // before it is stored
    vi.setSystemTime(t + 5_000);
    await stopped(await startWorker(browser));
    expect(server.events.filter(({ type }) => type === "TAB_REMOVED")).toMatchObject([{ tabId: 2, t }]);
  });

  test("a page: its highlight is in the unsent reports after it was closed", async () => {
    const first = await recording();
    first.kill();
    const t = Date.now();
    const report = { kind: "highlight" as const, t, url: page(1), text: "left at once", reportId: "gone 1" };
    const saved: UnsentReport = { report, tab: { tabId: 1, windowId: 1 } };
    browser.local.set(unsentReportKey(report.reportId), saved);
    await stopped(await startWorker(browser));
    expect(server.events.filter(({ type }) => type === "HIGHLIGHT")).toMatchObject([{ t, url: page(1) }]);
    expect([...browser.local.keys()].filter(isUnsentReportKey)).toEqual([]);
  });
});
