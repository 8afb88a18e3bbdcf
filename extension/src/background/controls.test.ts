/** Requests, account exclusions, a full disk, a deleted session, missed events. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  allSent,
  askStatus,
  type FakeBrowser,
  type FakeHttpServer,
  setUp,
  advance,
  startRecording,
  statusOf,
  stop,
  tab,
  ticks,
  waitUntil,
  startWorker,
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

const urls = () => server.events.flatMap(({ url }) => url ?? []);

describe("domains that the account excludes", () => {
  test("are excluded from the moment the server has answered", async () => {
    server.excluded = ["1.example"];
    const worker = await recording();
    worker.commit(1, PAGE);
    worker.commit(2, "https://2.example/page");
    await stop(worker);
    expect(urls()).toContain("https://2.example/page");
    expect(urls()).not.toContain(PAGE);
    expect(browser.local.get("accountExcluded")).toEqual(["1.example"]);
  });

  test("are excluded by the next worker as well, with the server unreachable", async () => {
    server.excluded = ["1.example"];
    (await recording()).kill();
    server.isUnreachable = true;
    const worker = await startWorker(browser);
    worker.commit(1, PAGE);
    await advance(1_000);
    server.isUnreachable = false;
    await stop(worker);
    expect(urls()).not.toContain(PAGE);
  });
});

test("only the extension's own pages may send requests", async () => {
  const worker = await startWorker(browser);
  await advance(100);
  const replies: unknown[] = [];
  for (const url of ["https://1.example/", "chrome-extension://another/popup.html", undefined])
    worker.emit(worker.api.runtime.onMessage, { ask: "start" }, { url, tab: tab(1), frameId: 0 }, (reply) =>
      replies.push(reply),
    );
  await advance(1_000);
  expect(replies).toEqual([]);
  expect((await askStatus(worker)).recording).toBeNull();
});

test("on a full disk it continues without texts, and the status says so", async () => {
  const worker = await recording();
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(function (this: IDBObjectStore, value, key) {
    if (JSON.stringify(value).includes("CONTENT_EXTRACTED"))
      throw new DOMException("no room", "QuotaExceededError");
    return this.put(value, key);
  });
  const text = { kind: "content" as const, url: PAGE, content: "a text", extractionOk: true, meta: {} };
  worker.commit(1, PAGE);
  const reports = { reports: [{ ...text, t: Date.now(), reportId: "one 1" }] };
  const replies: unknown[] = [];
  worker.emit(worker.api.runtime.onMessage, reports, { tab: tab(1), frameId: 0 }, (reply) =>
    replies.push(reply),
  );
  await advance(100);
  expect(replies).toMatchObject([{ ok: true }]); // or the page would say it for ever
  worker.commit(1, `${PAGE}/2`);
  await advance(100);
  expect((await askStatus(worker)).isStorageLow).toBe(true);
  await stop(worker);
  expect(urls()).toEqual(expect.arrayContaining([PAGE, `${PAGE}/2`]));
  expect(server.events.map(({ type }) => type)).not.toContain("CONTENT_EXTRACTED");
});

test("a missed event is found by the alarm", async () => {
  const worker = await recording();
  await advance(2_000); // the look after the start is over
  browser.tabs = [tab(1), tab(2, { active: true })];
  worker.emit(worker.api.alarms.onAlarm, { name: "tick" });
  await advance(1_000);
  await stop(worker);
  expect(server.events.filter(({ type }) => type === "TAB_ACTIVATED")).toMatchObject([
    { tabId: 1 },
    { tabId: 2 },
  ]);
});

test("deleting local data ends the recording", async () => {
  const worker = await recording();
  server.isUnreachable = true;
  worker.commit(1, PAGE);
  await advance(100);
  expect((await askStatus(worker)).unsent).toBeGreaterThan(0);
  const { recording: left, unsent } = statusOf(await worker.ask({ ask: "delete-local" }));
  expect([left, unsent]).toEqual([null, 0]);
  await advance(1_000);
  expect([browser.badge, browser.scripts.size, browser.alarms.has("tick")]).toEqual(["", 0, false]);
  worker.commit(1, `${PAGE}/2`);
  await advance(1_000);
  expect((await askStatus(worker)).unsent).toBe(0);
});

test("a recording that continues after a restart has its content script registered", async () => {
  (await recording()).kill();
  vi.setSystemTime(Date.now() + 60_000);
  browser.restart();
  browser.scripts.clear();
  const worker = await startWorker(browser);
  worker.emit(worker.api.runtime.onStartup);
  await advance(1_000);
  expect((await askStatus(worker)).recording).toMatchObject({ isInterrupted: false });
  expect(browser.scripts.size).toBe(1);
});

test("a stop is sent at once", async () => {
  const worker = await recording();
  const stoppedAt = Date.now();
  await worker.ask({ ask: "stop" });
  for (let turn = 0; server.endedAt === null && turn < 1_000; turn++) await ticks(10);
  expect([server.endedAt, Date.now()]).toEqual([stoppedAt, stoppedAt]); // no timer has gone off
});

test("a recording that the server has deleted ends", async () => {
  const worker = await recording();
  server.isDeleted = true;
  worker.commit(1, PAGE);
  await waitUntil(async () => (await askStatus(worker)).recording === null);
  await advance(1_000);
  expect(await askStatus(worker)).toMatchObject({ unsent: 0, isStopping: false, outcome: { is: "refused" } });
  expect([browser.badge, browser.scripts.size]).toEqual(["", 0]);
  worker.commit(1, `${PAGE}/2`);
  await advance(1_000);
  expect((await askStatus(worker)).unsent).toBe(0);
});

describe("when the plan allows no more sessions at once", () => {
  const other = "00000000-0000-4000-8000-000000000009";

  beforeEach(() => {
    server.running = [
      {
        session_id: other,
        title: "Travel",
        started_at: "2027-01-15T08:00:00Z",
        last_event_at: null,
        device: "Firefox on Linux",
      },
    ];
  });

  test("the user is told within seconds of the click, and nothing is kept", async () => {
    const worker = await startWorker(browser);
    await advance(100);
    await worker.ask({ ask: "start" });
    worker.commit(1, PAGE);
    await advance(2_000);
    expect(await askStatus(worker)).toMatchObject({
      recording: null,
      unsent: 0,
      isOffline: false,
      outcome: {
        is: "limit",
        running: [{ id: other, title: "Travel", device: "Firefox on Linux", startedAt: 1_800_000_000_000 }],
      },
    });
    worker.commit(1, `${PAGE}/2`);
    await advance(1_000);
    expect([server.events, browser.scripts.size, browser.badge]).toEqual([[], 0, ""]);
  });

  test("one click stops that session and starts this one", async () => {
    const worker = await startWorker(browser);
    await advance(100);
    await worker.ask({ ask: "start" });
    await advance(2_000);
    const replaced = worker.ask({ ask: "replace", session: other });
    await advance(1_000);
    expect(statusOf(await replaced).recording).not.toBeNull();
    worker.commit(1, PAGE);
    await stop(worker);
    expect(urls()).toContain(PAGE);
    expect(server.requests).toContain("POST /v1/sessions/ID/stop");
  });

  test("without the server nothing is stopped or started", async () => {
    const worker = await startWorker(browser);
    await advance(100);
    await worker.ask({ ask: "start" });
    await advance(2_000);
    server.isUnreachable = true;
    expect(await worker.ask({ ask: "replace", session: other })).toMatchObject({ refused: "unreachable" });
    expect((await askStatus(worker)).recording).toBeNull();
  });
});

test("the other keyboard shortcut starts a recording, and stops it", async () => {
  const worker = await startWorker(browser);
  await advance(100);
  const press = async () => {
    worker.emit(worker.api.commands.onCommand, "toggle");
    await advance(1_000);
    return allSent(worker);
  };
  expect((await press()).recording).not.toBeNull();
  const stopped = await press();
  expect(stopped.recording).toBeNull();
  expect(stopped.outcome?.is).toBe("saved");
});
