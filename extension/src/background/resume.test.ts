/** After the browser was closed while recording. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { NumberedReport } from "../messages";
import { isUnsentReportKey, type UnsentReport, unsentReportKey } from "../storage/unsent-reports";
import {
  advance,
  allSent,
  askStatus,
  FakeBrowser,
  type FakeHttpServer,
  type FakeWorker,
  setUp,
  startRecording,
  startWorker,
  stop,
  tab,
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
const urls = () => server.events.flatMap(({ url }) => url ?? []);

describe("a browser that was closed for a long time", () => {
  let lastAt: number;
  let worker: FakeWorker;

  beforeEach(async () => {
    const first = await recording();
    lastAt = Date.now();
    first.commit(1, PAGE);
    await advance(100);
    first.kill();
    vi.setSystemTime(lastAt + HOUR_MS);
    browser.restart();
    worker = await startWorker(browser);
    await advance(1_000);
  });

  test("records nothing until the user decides", async () => {
    expect((await askStatus(worker)).recording).toMatchObject({
      isInterrupted: true,
      lastAt,
    });
    expect(browser.badge).toBe("!");
    worker.commit(101, "https://101.example/unasked");
    await advance(6_000);
    expect(urls().join()).not.toContain("unasked");
  });

  test("saves the recording, up to its last event", async () => {
    const { recording: left, outcome, unsent } = await stop(worker);
    expect([left, outcome?.is, unsent]).toEqual([null, "saved", 0]);
    expect(urls()).toContain(PAGE);
    expect(server.endedAt).toBe(lastAt);
  });

  test("discards the recording, on the server too", async () => {
    await worker.ask({ ask: "discard" });
    const { recording: left, outcome, unsent } = await allSent(worker);
    expect([left, outcome?.is, unsent]).toEqual([null, "discarded", 0]);
    expect(server.requests).toContain("DELETE /v1/sessions/ID");
    expect(server.endedAt).toBeNull();
  });

  test("continues by itself after a short absence", async () => {
    worker.kill();
    vi.setSystemTime(Date.now() + 60_000);
    const other = new FakeBrowser();
    browser = other;
    const first = await recording();
    first.kill();
    vi.setSystemTime(Date.now() + 60_000);
    other.restart();
    const second = await startWorker(other);
    await advance(1_000);
    expect((await askStatus(second)).recording).toMatchObject({ isInterrupted: false });
  });
});

describe("reports that pages left when the browser was killed", () => {
  let first: FakeWorker;
  let saidAt: number;

  const leave = (report: NumberedReport) => {
    const saved: UnsentReport = { report, tab: { tabId: 1, windowId: 1 } };
    browser.local.set(unsentReportKey(report.reportId), saved);
  };
  const leaveHighlight = (text: string, reportId: string) => {
    leave({ kind: "highlight", t: Date.now(), url: PAGE, text, reportId });
  };
  const highlights = () => server.events.filter(({ type }) => type === "HIGHLIGHT");
  const left = () => [...browser.local.keys()].filter(isUnsentReportKey);

  beforeEach(async () => {
    first = await recording();
    first.commit(1, PAGE);
    await advance(200);
    first.kill();
    saidAt = Date.now();
  });

  test("belong to the recording that is saved after a long absence", async () => {
    leaveHighlight("as it was killed", "gone 1");
    vi.setSystemTime(saidAt + HOUR_MS);
    browser.restart();
    const worker = await startWorker(browser);
    await advance(1_000);
    expect((await askStatus(worker)).recording).toMatchObject({
      isInterrupted: true,
      lastAt: saidAt,
    });
    await stop(worker);
    expect(highlights()).toMatchObject([{ t: saidAt, url: PAGE, payload: { text: "as it was killed" } }]);
    expect([server.endedAt, left()]).toEqual([saidAt, []]);
  });

  test("are read after an update too, as earlier versions kept them", async () => {
    const word = { kind: "highlight", t: Date.now(), url: PAGE, text: "from before", message: "gone 1" };
    browser.local.set("word gone 1", { word, place: { tabId: 1, windowId: 1 } });
    const worker = await startWorker(browser);
    await advance(3_000);
    await stop(worker);
    expect(highlights()).toMatchObject([{ t: saidAt, url: PAGE, payload: { text: "from before" } }]);
    expect(left()).toEqual([]);
  });

  test("and what a page reports before the user decides does not", async () => {
    vi.setSystemTime(saidAt + HOUR_MS);
    browser.restart();
    leaveHighlight("an hour later", "new 1");
    vi.setSystemTime(saidAt + HOUR_MS + 2_000);
    const worker = await startWorker(browser);
    await advance(1_000);
    await stop(worker);
    expect([highlights(), left()]).toEqual([[], []]);
    expect(server.endedAt).toBeLessThanOrEqual(saidAt);
  });

  test("come before the restart: a tab of the new run is another tab", async () => {
    const url = "https://1.example/old";
    leave({ kind: "shown", t: saidAt, url, bornAt: saidAt, isFirst: true, reportId: "gone 1" });
    vi.setSystemTime(saidAt + 60_000);
    browser.restart();
    browser.tabs = [tab(1, { active: true })]; // Firefox counts from 1 in every run
    const worker = await startWorker(browser);
    await advance(3_000);
    await stop(worker);
    const restart = server.events.findIndex(({ payload }) => "restart" in (payload ?? {}));
    expect(server.events.slice(0, restart).map((event) => event.url)).toContain(url);
    expect(server.events.slice(restart).map((event) => event.url)).not.toContain(url);
  });
});
