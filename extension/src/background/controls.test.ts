/** What readers, the account, the server and the disk want of a recording, and what nobody has told it. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Status } from "../messages";
import {
  type FakeBrowser,
  type FakeNet,
  type Life,
  newWorld,
  pass,
  recordingIn,
  statusOf,
  stop,
  tab,
  turns,
  until,
  wake,
} from "./testing";

const PAGE = "https://1.example/page";

let world: FakeBrowser;
let net: FakeNet;

beforeEach(() => {
  ({ world, net } = newWorld());
});
afterEach(() => {
  vi.useRealTimers();
});

const recording = () => recordingIn(world);

const status = async (life: Life): Promise<Status> => statusOf(await life.ask({ ask: "status" }));
const urls = () => net.events.flatMap(({ url }) => url ?? []);

describe("domains that the account excludes", () => {
  test("are left out from the moment the server has named them", async () => {
    net.excluded = ["1.example"];
    const life = await recording();
    life.commit(1, PAGE);
    life.commit(2, "https://2.example/page");
    await stop(life);
    expect(urls()).toContain("https://2.example/page");
    expect(urls()).not.toContain(PAGE);
    expect(world.local.get("accountExcluded")).toEqual(["1.example"]);
  });

  test("are left out by the next life as well, though the server is away", async () => {
    net.excluded = ["1.example"];
    (await recording()).kill();
    net.isAway = true;
    const life = await wake(world);
    life.commit(1, PAGE);
    await pass(1_000);
    net.isAway = false;
    await stop(life);
    expect(urls()).not.toContain(PAGE);
  });
});

test("only pages of the extension itself may ask for something", async () => {
  const life = await wake(world);
  await pass(100);
  const replies: unknown[] = [];
  for (const url of ["https://1.example/", "chrome-extension://another/popup.html", undefined])
    life.tell(life.api.runtime.onMessage, { ask: "start" }, { url, tab: tab(1), frameId: 0 }, (reply) =>
      replies.push(reply),
    );
  await pass(1_000);
  expect(replies).toEqual([]);
  expect((await status(life)).recording).toBeNull();
});

test("on a full disk it goes on without the pages' texts, and says so", async () => {
  const life = await recording();
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(function (this: IDBObjectStore, value, key) {
    if (JSON.stringify(value).includes("CONTENT_EXTRACTED"))
      throw new DOMException("no room", "QuotaExceededError");
    return this.put(value, key);
  });
  const text = { kind: "content" as const, url: PAGE, content: "a text", extractionOk: true, meta: {} };
  life.commit(1, PAGE);
  const said = { words: [{ ...text, t: Date.now(), message: "one 1" }] };
  const replies: unknown[] = [];
  life.tell(life.api.runtime.onMessage, said, { tab: tab(1), frameId: 0 }, (reply) => replies.push(reply));
  await pass(100);
  expect(replies).toMatchObject([{ ok: true }]); // or the page would say it for ever
  life.commit(1, `${PAGE}/2`);
  await pass(100);
  expect((await status(life)).isTight).toBe(true);
  await stop(life);
  expect(urls()).toEqual(expect.arrayContaining([PAGE, `${PAGE}/2`]));
  expect(net.events.map(({ type }) => type)).not.toContain("CONTENT_EXTRACTED");
});

test("what the browser has not said is found by the alarm", async () => {
  const life = await recording();
  await pass(2_000); // the look after the start is over
  world.tabs = [tab(1), tab(2, { active: true })];
  life.tell(life.api.alarms.onAlarm, { name: "tick" });
  await pass(1_000);
  await stop(life);
  expect(net.events.filter(({ type }) => type === "TAB_ACTIVATED")).toMatchObject([
    { tabId: 1 },
    { tabId: 2 },
  ]);
});

test("who deletes what is held here ends the recording", async () => {
  const life = await recording();
  net.isAway = true;
  life.commit(1, PAGE);
  await pass(100);
  expect((await status(life)).held).toBeGreaterThan(0);
  const { recording: left, held } = statusOf(await life.ask({ ask: "delete-local" }));
  expect([left, held]).toEqual([null, 0]);
  await pass(1_000);
  expect([world.badge, world.scripts.size, world.alarms.has("tick")]).toEqual(["", 0, false]);
  life.commit(1, `${PAGE}/2`);
  await pass(1_000);
  expect((await status(life)).held).toBe(0);
});

test("a recording that goes on after a restart has its script in the pages", async () => {
  (await recording()).kill();
  vi.setSystemTime(Date.now() + 60_000);
  world.restart();
  world.scripts.clear();
  const life = await wake(world);
  life.tell(life.api.runtime.onStartup);
  await pass(1_000);
  expect((await status(life)).recording).toMatchObject({ isInterrupted: false });
  expect(world.scripts.size).toBe(1);
});

test("the end is sent at once", async () => {
  const life = await recording();
  const stoppedAt = Date.now();
  await life.ask({ ask: "stop" });
  for (let turn = 0; net.endedAt === null && turn < 1_000; turn++) await turns(10);
  expect([net.endedAt, Date.now()]).toEqual([stoppedAt, stoppedAt]); // no timer has gone off
});

test("a recording that the server has deleted ends", async () => {
  const life = await recording();
  net.isOver = true;
  life.commit(1, PAGE);
  await until(async () => (await status(life)).recording === null);
  await pass(1_000);
  expect(await status(life)).toMatchObject({ held: 0, isStopping: false, outcome: { is: "refused" } });
  expect([world.badge, world.scripts.size]).toEqual(["", 0]);
  life.commit(1, `${PAGE}/2`);
  await pass(1_000);
  expect((await status(life)).held).toBe(0);
});
