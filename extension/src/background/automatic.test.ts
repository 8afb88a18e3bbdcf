/** Sessions that begin and end by themselves, with workers that are stopped, browsers that restart, computers that sleep. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../storage/settings";
import {
  advance,
  allSent,
  askStatus,
  type FakeBrowser,
  type FakeHttpServer,
  type FakeWorker,
  setUp,
  startWorker,
  waitUntil,
} from "./testing";

const MINUTE_MS = 60_000;
const PAGE = "https://1.example/page";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
  browser.local.set("settings", { ...DEFAULT_SETTINGS, isAutomatic: true });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker that has seen nothing yet. */
async function waiting(): Promise<FakeWorker> {
  const worker = await startWorker(browser);
  await advance(500);
  return worker;
}
async function begun(): Promise<FakeWorker> {
  const worker = await waiting();
  worker.commit(1, PAGE);
  await advance(500);
  return worker;
}
const tick = async (worker: FakeWorker) => {
  worker.emit(worker.api.alarms.onAlarm, { name: "tick" });
  await advance(500);
};
const recordingOf = async (worker: FakeWorker) => (await askStatus(worker)).recording;
const starts = () => server.requests.filter((each) => each === "POST /v1/sessions/start").length;

describe("a session", () => {
  test("begins with the first page, is shown, and reads pages", async () => {
    const worker = await waiting();
    expect([await recordingOf(worker), browser.badge]).toEqual([null, "○"]);
    worker.commit(1, PAGE);
    await advance(500);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true, pages: 1 });
    expect([browser.badge, browser.scripts.size, browser.injected]).toEqual(["●", 1, [1, 2]]);
  });

  test("begins with the event that has woken the worker, too", async () => {
    const worker = await startWorker(browser);
    worker.commit(1, PAGE);
    await advance(1_000);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
    expect(browser.scripts.size).toBe(1);
  });

  test("does not begin with an excluded page, an alarm, without focus, or unwanted", async () => {
    browser.local.set("accountExcluded", ["1.example"]);
    const worker = await begun();
    expect(await recordingOf(worker)).toBeNull();
    browser.local.set("accountExcluded", []);
    worker.kill();
    browser.isFocused = false;
    const second = await begun();
    expect(await recordingOf(second)).toBeNull();
    browser.isFocused = true;
    await tick(second);
    expect(await recordingOf(second)).toBeNull();
    second.kill();
    browser.local.set("settings", DEFAULT_SETTINGS);
    expect(await recordingOf(await begun())).toBeNull();
    expect(browser.badge).toBe("");
  });

  test("does not begin with a page of the MindHit server itself", async () => {
    const worker = await waiting();
    worker.commit(1, "https://mindhit.example/sessions");
    await advance(500);
    expect(await recordingOf(worker)).toBeNull();
  });

  test("ends after half an hour without the user, with the last event, and the next page begins another", async () => {
    const worker = await begun();
    const leftAt = Date.now() + MINUTE_MS;
    vi.setSystemTime(leftAt);
    browser.presence = "locked";
    worker.emit(worker.api.idle.onStateChanged, "locked" as const);
    await advance(500);
    for (let passed = 0; passed < 29; passed++) {
      vi.setSystemTime(leftAt + passed * MINUTE_MS);
      await tick(worker);
    }
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
    vi.setSystemTime(leftAt + 31 * MINUTE_MS);
    await tick(worker);
    expect(await recordingOf(worker)).toBeNull();
    await allSent(worker);
    expect(server.endedAt).toBe(leftAt);
    browser.presence = "active";
    worker.emit(worker.api.idle.onStateChanged, "active" as const);
    await advance(500);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
  });

  test("ends so when the computer slept, and one event begins the next", async () => {
    const worker = await begun();
    await advance(6_000);
    const lastAt = server.events.at(-1)?.t;
    vi.setSystemTime(Date.now() + 8 * 60 * MINUTE_MS);
    worker.commit(1, `${PAGE}/2`);
    await waitUntil(() => server.endedAt !== null);
    expect(server.endedAt).toBe(lastAt);
    const next = await recordingOf(worker);
    expect(next).toMatchObject({ isByItself: true, pages: 1 });
    expect(starts()).toBe(2);
  });

  test("ends at the person's midnight, and only the next page begins another", async () => {
    vi.setSystemTime(Date.parse("2026-11-17T23:58:00+09:00"));
    browser.local.set("person", { language: "ko", timezone: "Asia/Seoul" });
    server.timezone = "Asia/Seoul";
    const worker = await begun();
    const midnight = Date.parse("2026-11-18T00:00:00+09:00");
    vi.setSystemTime(midnight + 10_000);
    await tick(worker);
    expect(await recordingOf(worker)).toBeNull();
    await allSent(worker);
    expect(server.endedAt).toBe(midnight);
    await tick(worker);
    expect(await recordingOf(worker)).toBeNull();
    worker.commit(1, `${PAGE}/2`);
    await advance(500);
    expect(await recordingOf(worker)).not.toBeNull();
  });

  test("goes on when the worker is stopped, and when the browser is back within half an hour", async () => {
    (await begun()).kill();
    const second = await waiting();
    expect(await recordingOf(second)).toMatchObject({ isByItself: true });
    second.kill();
    vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
    browser.restart();
    expect(await recordingOf(await waiting())).toMatchObject({ isByItself: true, isInterrupted: false });
    expect(starts()).toBe(1);
  });

  test("ends without a question when the browser was closed for longer, and another begins", async () => {
    const first = await begun();
    await advance(6_000);
    first.kill();
    const lastAt = server.events.at(-1)?.t;
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    browser.restart();
    const worker = await waiting();
    expect(await recordingOf(worker)).toBeNull();
    await allSent(worker);
    expect(server.endedAt).toBe(lastAt);
    worker.commit(101, PAGE);
    await advance(500);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
  });
});

test("what the user started goes on over any pause and midnight", async () => {
  const worker = await waiting();
  await worker.ask({ ask: "start" });
  await advance(500);
  vi.setSystemTime(Date.now() + 30 * 60 * MINUTE_MS);
  await tick(worker);
  expect(await recordingOf(worker)).toMatchObject({ isByItself: false, isInterrupted: false });
});

describe("what the user has stopped", () => {
  test("does not begin again with the next page, but after half an hour away", async () => {
    const worker = await begun();
    await worker.ask({ ask: "stop" });
    worker.commit(1, `${PAGE}/2`);
    await advance(500);
    expect(await askStatus(worker)).toMatchObject({ recording: null, isHeld: true });
    // The user goes on reading: that is no absence, however long it takes.
    for (let passed = 0; passed < 40; passed++) {
      vi.setSystemTime(Date.now() + MINUTE_MS);
      await tick(worker);
    }
    worker.commit(1, `${PAGE}/3`);
    await advance(500);
    expect(await recordingOf(worker)).toBeNull();
    vi.setSystemTime(Date.now() + 31 * MINUTE_MS);
    worker.commit(1, `${PAGE}/4`);
    await advance(500);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
  });

  test("begins again after a restart of the browser", async () => {
    const first = await begun();
    await first.ask({ ask: "stop" });
    await allSent(first);
    first.kill();
    browser.restart();
    const worker = await waiting();
    worker.commit(101, PAGE);
    await advance(500);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
  });
});

describe("a pause", () => {
  test("of an hour ends the session; after it the next page begins another", async () => {
    const worker = await begun();
    await worker.ask({ ask: "pause", length: "hour" });
    await advance(500);
    expect([await recordingOf(worker), browser.badge]).toEqual([null, "II"]);
    worker.commit(1, `${PAGE}/unwanted`);
    await advance(6_000);
    expect(await recordingOf(worker)).toBeNull();
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    worker.emit(worker.api.alarms.onAlarm, { name: "pause" });
    await advance(500);
    expect(browser.badge).toBe("○");
    worker.commit(1, `${PAGE}/after`);
    await advance(500);
    expect(await recordingOf(worker)).toMatchObject({ isByItself: true });
  });

  test("outlives workers and restarts, and can be ended before its time", async () => {
    const first = await begun();
    await first.ask({ ask: "pause", length: "tomorrow" });
    first.kill();
    browser.restart();
    const worker = await waiting();
    worker.commit(101, PAGE);
    await advance(500);
    expect(await recordingOf(worker)).toBeNull();
    await worker.ask({ ask: "resume" });
    await advance(500);
    expect(await askStatus(worker)).toMatchObject({ pause: null, recording: { isByItself: true } });
  });

  test("of a recording that the user started records no page until it is resumed", async () => {
    const worker = await waiting();
    await worker.ask({ ask: "start" });
    worker.commit(1, `${PAGE}/before`);
    await worker.ask({ ask: "pause", length: "resumed" });
    worker.commit(1, `${PAGE}/unwanted`);
    await advance(2_000);
    expect([(await recordingOf(worker))?.isByItself, browser.badge]).toEqual([false, "II"]);
    worker.commit(1, `${PAGE}/after`);
    await worker.ask({ ask: "resume" });
    await advance(6_000);
    await waitUntil(async () => (await askStatus(worker)).unsent === 0);
    const urls = server.events.map(({ url }) => url);
    expect(urls).toEqual(expect.arrayContaining([`${PAGE}/before`, undefined, `${PAGE}/after`]));
    expect(urls).not.toContain(`${PAGE}/unwanted`);
  });
});
