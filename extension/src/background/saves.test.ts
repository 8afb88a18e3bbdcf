/** "Save this page" by the popup, the keyboard shortcut and the context menu. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { advance, type FakeBrowser, type FakeHttpServer, setUp, startWorker } from "./testing";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const addresses = () => server.saved.map(({ address }) => address);

test("the keyboard shortcut saves the page in the active tab", async () => {
  const worker = await startWorker(browser);
  worker.emit(worker.api.commands.onCommand, "save");
  await advance(500);
  expect(server.saved).toEqual([{ address: "https://1.example/", title: "Tab 1" }]);
  expect(browser.badge).toBe("✓");
});

test("the context menu does the same", async () => {
  const worker = await startWorker(browser);
  const [tab] = browser.tabs;
  if (tab === undefined) throw new Error("no tab");
  worker.emit(worker.api.contextMenus.onClicked, { menuItemId: "save" }, tab);
  await advance(500);
  expect(addresses()).toEqual(["https://1.example/"]);
});

test("saved while the server is away, a page is sent later, by another worker, once", async () => {
  server.isUnreachable = true;
  const worker = await startWorker(browser);
  worker.emit(worker.api.commands.onCommand, "save");
  worker.emit(worker.api.commands.onCommand, "save");
  await advance(500);
  expect(browser.alarms.has("tick")).toBe(true);
  worker.kill();
  server.isUnreachable = false;
  await startWorker(browser);
  await advance(40_000);
  expect(addresses()).toEqual(["https://1.example/"]);
});

test("a page to be reminded of is sent as that, once, also after it was saved in the meantime", async () => {
  server.isUnreachable = true;
  const worker = await startWorker(browser);
  const [tab] = browser.tabs;
  if (tab === undefined) throw new Error("no tab");
  worker.emit(worker.api.contextMenus.onClicked, { menuItemId: "remind" }, tab);
  await advance(500);
  worker.emit(worker.api.commands.onCommand, "save");
  await advance(500);
  worker.kill();
  server.isUnreachable = false;
  await startWorker(browser);
  await advance(40_000);
  expect(server.reminded).toEqual([{ url: "https://1.example/", title: "Tab 1", for: "tomorrow" }]);
  expect(addresses()).toEqual([]);
});
