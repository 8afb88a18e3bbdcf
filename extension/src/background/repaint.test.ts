/** Which pages the server is asked about, so that highlights are painted. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../storage/settings";
import { ACCOUNT, advance, type FakeBrowser, type FakeHttpServer, setUp, startWorker, tab } from "./testing";

const PAGE = "https://1.example/page";
let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
  server.highlighted = { [PAGE]: ["a text", "another"] };
});
afterEach(() => {
  vi.useRealTimers();
});

const started = async (settings: object = {}) => {
  browser.local.set("settings", { ...DEFAULT_SETTINGS, paintsHighlights: true, ...settings });
  const worker = await startWorker(browser);
  worker.emit(worker.api.runtime.onInstalled, { reason: "update" });
  await advance(1_000);
  return worker;
};

test("turned on, the server is asked about a page, while nothing is recorded too", async () => {
  const worker = await started();
  expect([...browser.scripts.keys()]).toEqual(["repaint"]);
  expect(await worker.highlightsOn(`${PAGE}#part`, tab(1))).toEqual(["a text", "another"]);
  expect(server.lookedUp).toEqual([PAGE]);
});

test("turned off, no page has the script and nothing is asked", async () => {
  const worker = await started({ paintsHighlights: false });
  expect(browser.scripts.size).toBe(0);
  expect(await worker.highlightsOn(PAGE, tab(1))).toEqual([]);
  expect(server.lookedUp).toEqual([]);
});

test("it is off unless it is turned on", () => {
  expect(DEFAULT_SETTINGS.paintsHighlights).toBe(false);
});

test.each([
  ["an excluded site", { excluded: ["1.example"] }, {}],
  ["a site that is not listed", { only: ["2.example"] }, {}],
  ["a private window", {}, { incognito: true }],
])("nothing is asked about %s", async (_, settings, more) => {
  const worker = await started(settings);
  expect(await worker.highlightsOn(PAGE, tab(1, more))).toEqual([]);
  expect(server.lookedUp).toEqual([]);
});

test.each([
  ["without an account", null],
  ["signed out", { ...ACCOUNT, isSignedOut: true }],
])("%s, no page has the script and nothing is asked", async (_, account) => {
  browser.local.set("account", account);
  const worker = await started();
  expect(browser.scripts.size).toBe(0);
  expect(await worker.highlightsOn(PAGE, tab(1))).toEqual([]);
  expect(server.lookedUp).toEqual([]);
});

test("excluded sites don't even have the script, and a server that is away is no trouble", async () => {
  const worker = await started({ excluded: ["3.example"] });
  const script = browser.scripts.get("repaint") as { excludeMatches: string[]; css: string[] };
  expect(script.excludeMatches).toContain("https://*.3.example/*");
  expect(script.css).toEqual(["/repaint.css"]);
  server.isUnreachable = true;
  expect(await worker.highlightsOn(PAGE, tab(1))).toEqual([]);
});
