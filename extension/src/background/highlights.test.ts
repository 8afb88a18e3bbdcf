/** Highlights by the context menu and the keyboard shortcut. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  advance,
  type FakeBrowser,
  type FakeHttpServer,
  type FakeWorker,
  setUp,
  startRecording,
  stop,
  tab,
} from "./testing";

const PAGE = "https://1.example/page";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const recording = () => startRecording(browser);
const types = () => server.events.map(({ type }) => type);

const click = (worker: FakeWorker, menuItemId: string) => {
  const selected = { menuItemId, selectionText: "what is selected", pageUrl: PAGE };
  worker.emit(worker.api.contextMenus.onClicked, selected, tab(1));
};
const commands = () => browser.commands.filter(([, { kind }]) => kind === "highlight");

test("the context menu asks the page, which knows whether it may be read", async () => {
  const worker = await recording();
  click(worker, "highlight");
  await advance(100);
  expect(commands()).toEqual([[1, { kind: "highlight" }]]);
  await stop(worker);
  expect(types()).not.toContain("HIGHLIGHT");
});

test("other context menu items do nothing", async () => {
  click(await recording(), "another");
  await advance(100);
  expect(commands()).toEqual([]);
});

test("the keyboard shortcut highlights in the active tab", async () => {
  const worker = await recording();
  browser.tabs = [tab(1), tab(2, { active: true })];
  worker.emit(worker.api.commands.onCommand, "highlight");
  await advance(100);
  expect(commands()).toEqual([[2, { kind: "highlight" }]]);
});

test("reports from an excluded domain are ignored", async () => {
  browser.local.set("settings", {
    excluded: ["1.example"],
    only: null,
    idleAfterS: 60,
    marksSelection: true,
  });
  const worker = await recording();
  const report = { kind: "highlight" as const, t: Date.now(), text: "what is selected" };
  worker.report({ reports: [{ ...report, url: PAGE, reportId: "one 1" }] }, tab(1));
  worker.report({ reports: [{ ...report, url: "https://2.example/", reportId: "two 1" }] }, tab(2));
  await advance(100);
  await stop(worker);
  const recorded = server.events.filter(({ type }) => type === "HIGHLIGHT");
  expect(recorded.map(({ url }) => url)).toEqual(["https://2.example/"]);
});
