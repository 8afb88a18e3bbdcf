/** Listening to the browser. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { advance, type FakeBrowser, type FakeHttpServer, setUp, startWorker, stop } from "./testing";

const PAGE = "https://1.example/page";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const urls = () => server.events.flatMap(({ url }) => url ?? []);

test("navigation is listened to as soon as it is permitted, and once", async () => {
  browser.isPermitted = false;
  const worker = await startWorker(browser);
  await advance(100);
  expect(worker.navigation.onCommitted.listeners).toEqual([]);
  browser.isPermitted = true;
  worker.permit();
  worker.emit(worker.api.permissions.onAdded);
  worker.emit(worker.api.permissions.onAdded);
  expect(worker.navigation.onCommitted.listeners).toHaveLength(1);
  await worker.ask({ ask: "start" });
  worker.commit(1, PAGE);
  await stop(worker);
  expect(urls().filter((url) => url === PAGE)).toHaveLength(1);
});
