/** When events are sent, and what happens while the server is unreachable. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ACCOUNT,
  advance,
  askStatus,
  type FakeBrowser,
  type FakeHttpServer,
  setUp,
  startRecording,
  startWorker,
  stop,
  ticks,
} from "./testing";

const HOUR_MS = 3_600_000;
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
const urls = () => server.events.flatMap(({ url }) => url ?? []);

describe("sending", () => {
  test("what a stopped worker left unsent is sent by the alarm that wakes the next one", async () => {
    const first = await recording();
    expect(browser.alarms.get("tick")).toEqual({ periodInMinutes: 0.5 });
    server.isUnreachable = true;
    first.commit(1, PAGE);
    await advance(100);
    first.kill();
    server.isUnreachable = false;
    vi.setSystemTime(Date.now() + HOUR_MS);
    expect(urls()).not.toContain(PAGE);
    const second = await startWorker(browser);
    second.emit(second.api.alarms.onAlarm, { name: "tick" });
    await advance(2_000); // the timer of a worker that is awake takes longer
    expect(urls()).toContain(PAGE);
    expect(types()).toContain("ALIVE");
  });

  test("the alarm exists as long as something is being recorded or unsent", async () => {
    const worker = await recording();
    await stop(worker);
    await advance(100);
    expect(browser.alarms.has("tick")).toBe(false);
  });

  test("two hundred events do not wait for the timer", async () => {
    const worker = await recording();
    const before = server.events.length;
    for (let number = 1; number < 200; number++) worker.commit(1, `${PAGE}/${number}`);
    while ((await askStatus(worker)).unsent < 199) await ticks(100);
    await ticks(10_000);
    expect(server.events).toHaveLength(before);
    worker.commit(1, `${PAGE}/200`);
    while ((await askStatus(worker)).unsent > 0) await ticks(100);
    expect(server.events).toHaveLength(before + 200);
  });
});

describe("stopped while the server is unreachable", () => {
  test("another recording can be started, and both are sent when the server is back", async () => {
    const worker = await recording();
    server.isUnreachable = true;
    worker.commit(1, PAGE);
    await advance(100);
    await worker.ask({ ask: "stop" });
    await advance(1_000);
    expect(await askStatus(worker)).toMatchObject({ isStopping: true, isOffline: true, unsentElsewhere: 0 });
    const { unsent } = await askStatus(worker);
    await worker.ask({ ask: "start" });
    await advance(1_000);
    expect((await askStatus(worker)).recording).not.toBeNull();
    expect((await askStatus(worker)).unsent).toBeGreaterThan(unsent);
    server.isUnreachable = false;
    await stop(worker);
    expect(server.requests.filter((asked) => asked.endsWith("/stop"))).toHaveLength(2);
  });

  test("unsent events of another account are counted separately, and block nothing", async () => {
    const worker = await recording();
    server.isUnreachable = true;
    worker.commit(1, PAGE);
    await advance(100);
    await worker.ask({ ask: "stop" });
    await advance(1_000);
    const { unsent } = await askStatus(worker);
    browser.local.set("account", { ...ACCOUNT, userId: "another" });
    expect(await askStatus(worker)).toMatchObject({ isStopping: false, unsent, unsentElsewhere: unsent });
    await worker.ask({ ask: "disconnect" });
    expect(await askStatus(worker)).toMatchObject({ isStopping: false, unsent, unsentElsewhere: unsent });
    browser.local.set("account", ACCOUNT);
    expect(await askStatus(worker)).toMatchObject({ isStopping: true, unsent, unsentElsewhere: 0 });
  });
});
