/** Notices of the inbox as notifications: off by default, each once, nothing old. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../storage/settings";
import {
  ACCOUNT,
  advance,
  type FakeBrowser,
  type FakeHttpServer,
  type FakeWorker,
  setUp,
  startWorker,
} from "./testing";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const POLL_MS = 5 * 60_000;
const asked = () => server.requests.filter((each) => each === "GET /v1/notices").length;

/** The n-th notice that came. */
function notice(n: number, more: object = {}) {
  const at = new Date(1_800_000_000_000 + n * 1_000).toISOString();
  return {
    id: `id-${n}`,
    title: `Notice ${n}`,
    body: "",
    url: `https://${n}.example/`,
    created_at: at,
    ...more,
  };
}

async function turn(worker: FakeWorker, showsNotices: boolean): Promise<void> {
  browser.local.set("settings", { ...DEFAULT_SETTINGS, showsNotices });
  worker.emit(worker.api.storage.local.onChanged, { settings: {} });
  await advance(200);
}

async function poll(worker: FakeWorker): Promise<void> {
  worker.emit(worker.api.alarms.onAlarm, { name: "inbox" });
  await advance(200);
}

async function turnedOn(): Promise<FakeWorker> {
  const worker = await startWorker(browser);
  await turn(worker, true);
  return worker;
}

test("it is off until it is turned on, and ends when it is turned off", async () => {
  const worker = await startWorker(browser);
  await worker.ask({ ask: "sync" });
  await advance(200);
  expect(browser.alarms.has("inbox")).toBe(false);
  await turn(worker, true);
  expect(browser.alarms.get("inbox")).toEqual({ periodInMinutes: 5 });
  await turn(worker, false);
  expect(browser.alarms.has("inbox")).toBe(false);
  const before = asked();
  await poll(worker);
  expect(asked()).toBe(before);
});

test("without the permission nothing is polled", async () => {
  browser.isPermitted = false;
  await turnedOn();
  expect(browser.alarms.has("inbox")).toBe(false);
  expect(asked()).toBe(0);
});

test("what was there before is not shown; what comes is shown once, in order, even by another worker", async () => {
  server.notices = [notice(2), notice(1)];
  const first = await turnedOn();
  expect(browser.notified).toEqual([]);
  server.notices = [notice(4), notice(3), ...server.notices];
  await poll(first);
  expect(browser.notified).toEqual(["Notice 3", "Notice 4"]);
  first.kill();
  const worker = await startWorker(browser);
  await poll(worker);
  await poll(worker);
  expect(browser.notified).toEqual(["Notice 3", "Notice 4"]);
});

test("what was shown stays unshown however many come after it", async () => {
  const worker = await turnedOn();
  for (let n = 1; n <= 150; n += 1) {
    server.notices = [notice(n)];
    await poll(worker);
  }
  expect(browser.notified).toHaveLength(150);
  expect((browser.local.get("inbox") as { shown: object[] }).shown).toHaveLength(100);
  server.notices = [notice(150), notice(60), notice(5)];
  await poll(worker);
  expect(browser.notified).toHaveLength(150);
});

test("in quiet hours only reminders that came since are shown, and the others once, after them", async () => {
  const worker = await turnedOn();
  const [before, since] = [notice(1, { kind: "reminder" }), notice(4, { kind: "reminder" })];
  server.quietSince = notice(2).created_at;
  server.notices = [since, notice(3, { kind: "price" }), before];
  await poll(worker);
  await poll(worker);
  expect(browser.notified).toEqual(["Notice 4"]);
  server.quietSince = null;
  await poll(worker);
  await poll(worker);
  expect(browser.notified).toEqual(["Notice 4", "Notice 1", "Notice 3"]);
});

test("a click opens the page and marks the notice as read, also in a worker that has just started", async () => {
  const first = await turnedOn();
  server.notices = [notice(2, { url: null }), notice(1)];
  await poll(first);
  first.kill();
  const worker = await startWorker(browser);
  worker.emit(worker.api.notifications.onClicked, "notice:id-1");
  worker.emit(worker.api.notifications.onClicked, "notice:id-2");
  await advance(200);
  expect(browser.opened.sort()).toEqual(["https://1.example/", `${ACCOUNT.server}/inbox`]);
  expect(server.readIds.sort()).toEqual(["id-1", "id-2"]);
  expect(browser.notifications.size).toBe(0);
});

test("an address that is not of the web is not opened", async () => {
  const worker = await turnedOn();
  server.notices = [notice(1, { url: "javascript:alert(1)" })];
  await poll(worker);
  worker.emit(worker.api.notifications.onClicked, "notice:id-1");
  await advance(200);
  expect(browser.opened).toEqual([`${ACCOUNT.server}/inbox`]);
});

test("a server that can't be reached is asked ever more rarely", async () => {
  const worker = await turnedOn();
  const tried = vi.fn(server.fetch);
  vi.stubGlobal("fetch", tried);
  server.isUnreachable = true;
  const attempts: number[] = [];
  for (let minute = 0; minute < 60; minute += 5) {
    await poll(worker);
    attempts.push(tried.mock.calls.length);
    vi.setSystemTime(Date.now() + POLL_MS);
  }
  expect(tried.mock.calls.length).toBe(4); // at 0, 5, 15 and 35 minutes
  expect(attempts.at(-1)).toBe(4);
  server.isUnreachable = false;
  server.notices = [notice(1)];
  vi.setSystemTime(Date.now() + 12 * POLL_MS);
  await poll(worker);
  expect(browser.notified).toEqual(["Notice 1"]);
  expect(browser.local.get("inbox")).toMatchObject({ failures: 0, retryAt: 0 });
});

test("another account begins with what its inbox has", async () => {
  const worker = await turnedOn();
  browser.local.set("account", { ...ACCOUNT, userId: "somebody else" });
  server.notices = [notice(7)];
  await poll(worker);
  server.notices = [notice(8), notice(7)];
  await poll(worker);
  expect(browser.notified).toEqual(["Notice 8"]);
});

test("disconnected, it stops", async () => {
  const worker = await turnedOn();
  await worker.ask({ ask: "disconnect" });
  const before = asked();
  await poll(worker);
  expect(asked()).toBe(before);
  expect(browser.alarms.has("inbox")).toBe(false);
});
