/** One list of excluded domains with the account, its language, and what the popup asks of the server. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../storage/settings";
import {
  advance,
  askStatus,
  type FakeBrowser,
  type FakeHttpServer,
  setUp,
  startRecording,
  startWorker,
  stop,
} from "./testing";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
});
afterEach(() => {
  vi.useRealTimers();
});

const exclude = (add: string[], remove: string[] = []) => ({ ask: "exclude", add, remove }) as const;
const tick = { name: "tick" };

test("a site that is excluded here is excluded in the account, and its page is no longer recorded", async () => {
  server.excluded = ["bank.example"];
  const worker = await startRecording(browser);
  await worker.ask(exclude(["1.example"]));
  worker.commit(1, "https://www.1.example/secret");
  await advance(1_000);
  expect(server.excluded).toEqual(["1.example", "bank.example"]);
  await worker.ask(exclude([], ["bank.example"]));
  await advance(500);
  expect(server.excluded).toEqual(["1.example"]);
  await stop(worker);
  expect(JSON.stringify(server.events)).not.toContain("secret");
});

test("without the server it applies at once, and the server gets it later, beside what others have changed", async () => {
  const first = await startRecording(browser);
  server.isUnreachable = true;
  await first.ask(exclude(["1.example"]));
  first.commit(1, "https://1.example/secret");
  await advance(500);
  first.kill();
  server.isUnreachable = false;
  server.excluded = ["elsewhere.example"];
  const worker = await startWorker(browser);
  await advance(1_000);
  worker.emit(worker.api.alarms.onAlarm, tick);
  await advance(2_000);
  expect(server.excluded).toEqual(["1.example", "elsewhere.example"]);
  expect(browser.local.get("exclusionChanges")).toEqual({});
  await stop(worker);
  expect(JSON.stringify(server.events)).not.toContain("secret");
});

test("domains from before there was one list become the account's", async () => {
  browser.local.set("settings", { ...DEFAULT_SETTINGS, excluded: ["old.example"] });
  await startRecording(browser);
  await advance(1_000);
  expect(server.excluded).toEqual(["old.example"]);
  expect(browser.local.get("settings")).toMatchObject({ excluded: [] });
});

test("a domain that the server refuses stays excluded here, and does not hold up the others", async () => {
  server.refusedDomain = "odd";
  const worker = await startRecording(browser);
  await worker.ask(exclude(["odd", "1.example"]));
  await advance(1_000);
  expect(server.excluded).toEqual(["1.example"]);
  expect(browser.local.get("settings")).toMatchObject({ excluded: ["odd"] });
  const asked = server.requests.length;
  await worker.ask({ ask: "sync" });
  expect(server.requests.slice(asked)).toEqual(["GET /v1/me"]);
});

test("the person's language and time zone come from the account", async () => {
  Object.assign(server, { language: "ko", timezone: "Asia/Seoul" });
  const worker = await startWorker(browser);
  await worker.ask({ ask: "sync" });
  expect(browser.local.get("person")).toEqual({ language: "ko", timezone: "Asia/Seoul" });
});

test("forgetting needs the server, and says so", async () => {
  const worker = await startWorker(browser);
  expect(await worker.ask({ ask: "forget", what: { domain: "1.example" } })).toMatchObject({ ok: true });
  expect(server.forgotten).toEqual([{ domain: "1.example", now: Date.now() }]);
  server.isUnreachable = true;
  expect(await worker.ask({ ask: "forget", what: { last: "1h" } })).toMatchObject({
    ok: false,
    refused: "unreachable",
  });
});

test("selecting text is off in a new installation, and stays on where it was on", async () => {
  const installed = async (reason: string) => {
    const worker = await startWorker(browser);
    worker.emit(worker.api.runtime.onInstalled, { reason });
    await advance(500);
    return browser.local.get("settings");
  };
  expect(await installed("install")).toMatchObject({ marksSelection: false, isAutomatic: false });
  browser.local.delete("settings");
  expect(await installed("update")).toMatchObject({ marksSelection: true, isAutomatic: false });
  browser.local.set("settings", { ...DEFAULT_SETTINGS, marksSelection: false });
  expect(await installed("update")).toMatchObject({ marksSelection: false });
});

test("a highlight from the popup says when nothing was selected", async () => {
  const worker = await startRecording(browser);
  expect(await worker.ask({ ask: "highlight" })).toMatchObject({ ok: false, refused: "nothing-selected" });
  expect((await askStatus(worker)).recording).not.toBeNull();
});
