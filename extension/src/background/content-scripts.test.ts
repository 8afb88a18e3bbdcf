/** Where the content script is. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { advance, type FakeBrowser, setUp, startRecording, startWorker, tab } from "./testing";

let browser: FakeBrowser;

beforeEach(() => {
  ({ browser } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const recording = () => startRecording(browser);

test("after an update it is registered again, and injected into open tabs", async () => {
  browser.local.set("settings", {
    excluded: ["3.example"],
    only: null,
    idleAfterS: 60,
    marksSelection: true,
  });
  const first = await recording();
  first.kill();
  browser.scripts.clear(); // as the browser does
  browser.injected.length = 0;
  browser.tabs = [tab(1, { active: true }), tab(2, { discarded: true }), tab(3), tab(4)];
  const second = await startWorker(browser);
  second.emit(second.api.runtime.onInstalled, { reason: "update" });
  await advance(1_000);
  expect(browser.scripts.size).toBe(1);
  expect(browser.injected).toEqual([1, 4]);
  expect(browser.opened).toEqual([]);
});

test("while nothing is being recorded it is nowhere, after an update too", async () => {
  const worker = await startWorker(browser);
  worker.emit(worker.api.runtime.onInstalled, { reason: "update" });
  await advance(1_000);
  expect([browser.scripts.size, browser.injected]).toEqual([0, []]);
});
