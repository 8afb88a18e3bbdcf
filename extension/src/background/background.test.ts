/** The background as the browser meets it: told by events, woken and put to sleep. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { STASH, type PageMessage, type Stashed } from "../messages";
import {
  ACCOUNT,
  drained,
  FakeBrowser,
  type FakeNet,
  type Life,
  newWorld,
  pass,
  recordingIn,
  statusOf,
  stop,
  tab,
  turns,
  wake,
} from "./testing";

const HOUR_MS = 3_600_000;
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

const types = () => net.events.map(({ type }) => type);
const urls = () => net.events.flatMap(({ url }) => url ?? []);

describe("sending", () => {
  test("what a worker has gone to sleep over is sent by the alarm that wakes the next one", async () => {
    const first = await recording();
    expect(world.alarms.get("tick")).toEqual({ periodInMinutes: 0.5 });
    net.isAway = true;
    first.commit(1, PAGE);
    await pass(100);
    first.kill();
    net.isAway = false;
    vi.setSystemTime(Date.now() + HOUR_MS);
    expect(urls()).not.toContain(PAGE);
    const second = await wake(world);
    second.tell(second.api.alarms.onAlarm, { name: "tick" });
    await pass(2_000); // the timer of a worker that is awake takes longer
    expect(urls()).toContain(PAGE);
    expect(types()).toContain("ALIVE");
  });

  test("the alarm is there as long as something is recorded or held", async () => {
    const life = await recording();
    await stop(life);
    await pass(100);
    expect(world.alarms.has("tick")).toBe(false);
  });

  test("two hundred events do not wait for the timer", async () => {
    const life = await recording();
    const before = net.events.length;
    for (let number = 1; number < 200; number++) life.commit(1, `${PAGE}/${number}`);
    const status = async () => statusOf(await life.ask({ ask: "status" }));
    while ((await status()).held < 199) await turns(100);
    await turns(10_000);
    expect(net.events).toHaveLength(before);
    life.commit(1, `${PAGE}/200`);
    while ((await status()).held > 0) await turns(100);
    expect(net.events).toHaveLength(before + 200);
  });
});

describe("stopped while the server is away", () => {
  const status = async (life: Life) => statusOf(await life.ask({ ask: "status" }));

  test("another recording can be started, and both are sent when it is back", async () => {
    const life = await recording();
    net.isAway = true;
    life.commit(1, PAGE);
    await pass(100);
    await life.ask({ ask: "stop" });
    await pass(1_000);
    expect(await status(life)).toMatchObject({ isStopping: true, isOffline: true, foreign: 0 });
    const { held } = await status(life);
    await life.ask({ ask: "start" });
    await pass(1_000);
    expect((await status(life)).recording).not.toBeNull();
    expect((await status(life)).held).toBeGreaterThan(held);
    net.isAway = false;
    await stop(life);
    expect(net.asked.filter((asked) => asked.endsWith("/stop"))).toHaveLength(2);
  });

  test("what belongs to another account is told apart, and stops nothing", async () => {
    const life = await recording();
    net.isAway = true;
    life.commit(1, PAGE);
    await pass(100);
    await life.ask({ ask: "stop" });
    await pass(1_000);
    const { held } = await status(life);
    world.local.set("account", { ...ACCOUNT, userId: "another" });
    expect(await status(life)).toMatchObject({ isStopping: false, held, foreign: held });
    await life.ask({ ask: "disconnect" });
    expect(await status(life)).toMatchObject({ isStopping: false, held, foreign: held });
    world.local.set("account", ACCOUNT);
    expect(await status(life)).toMatchObject({ isStopping: true, held, foreign: 0 });
  });
});

describe("highlights", () => {
  const click = (life: Life, menuItemId: string) => {
    const selected = { menuItemId, selectionText: "what is selected", pageUrl: PAGE };
    life.tell(life.api.contextMenus.onClicked, selected, tab(1));
  };
  const marks = () => world.orders.filter(([, { kind }]) => kind === "mark");

  test("the menu asks the page, which knows whether anything may be taken from it", async () => {
    const life = await recording();
    click(life, "highlight");
    await pass(100);
    expect(marks()).toEqual([[1, { kind: "mark" }]]);
    await stop(life);
    expect(types()).not.toContain("HIGHLIGHT");
  });

  test("of another entry in the menu nothing comes", async () => {
    click(await recording(), "another");
    await pass(100);
    expect(marks()).toEqual([]);
  });

  test("the key marks in the tab that is in front", async () => {
    const life = await recording();
    world.tabs = [tab(1), tab(2, { active: true })];
    life.tell(life.api.commands.onCommand, "highlight");
    await pass(100);
    expect(marks()).toEqual([[2, { kind: "mark" }]]);
  });

  test("what a page of an excluded domain says is not kept", async () => {
    world.local.set("settings", {
      excluded: ["1.example"],
      only: null,
      idleAfterS: 60,
      marksSelection: true,
    });
    const life = await recording();
    const said = { kind: "highlight" as const, t: Date.now(), text: "what is selected" };
    life.say({ words: [{ ...said, url: PAGE, message: "one 1" }] }, tab(1));
    life.say({ words: [{ ...said, url: "https://2.example/", message: "two 1" }] }, tab(2));
    await pass(100);
    await stop(life);
    const kept = net.events.filter(({ type }) => type === "HIGHLIGHT");
    expect(kept.map(({ url }) => url)).toEqual(["https://2.example/"]);
  });
});

test("the other key starts a recording, and stops it", async () => {
  const life = await wake(world);
  await pass(100);
  const press = async () => {
    life.tell(life.api.commands.onCommand, "toggle");
    await pass(1_000);
    return drained(life);
  };
  expect((await press()).recording).not.toBeNull();
  const stopped = await press();
  expect(stopped.recording).toBeNull();
  expect(stopped.outcome?.is).toBe("saved");
});

describe("scripts", () => {
  test("after an update they are registered again, and put into the tabs that are open", async () => {
    world.local.set("settings", {
      excluded: ["3.example"],
      only: null,
      idleAfterS: 60,
      marksSelection: true,
    });
    const first = await recording();
    first.kill();
    world.scripts.clear(); // as the browser does
    world.placed.length = 0;
    world.tabs = [tab(1, { active: true }), tab(2, { discarded: true }), tab(3), tab(4)];
    const second = await wake(world);
    second.tell(second.api.runtime.onInstalled, { reason: "update" });
    await pass(1_000);
    expect(world.scripts.size).toBe(1);
    expect(world.placed).toEqual([1, 4]);
    expect(world.opened).toEqual([]);
  });

  test("while nothing is recorded there are none, after an update too", async () => {
    const life = await wake(world);
    life.tell(life.api.runtime.onInstalled, { reason: "update" });
    await pass(1_000);
    expect([world.scripts.size, world.placed]).toEqual([0, []]);
  });
});

test("navigation is listened to from the moment it is permitted, and once", async () => {
  world.isPermitted = false;
  const life = await wake(world);
  await pass(100);
  expect(life.navigation.onCommitted.listeners).toEqual([]);
  world.isPermitted = true;
  life.permit();
  life.tell(life.api.permissions.onAdded);
  life.tell(life.api.permissions.onAdded);
  expect(life.navigation.onCommitted.listeners).toHaveLength(1);
  await life.ask({ ask: "start" });
  life.commit(1, PAGE);
  await stop(life);
  expect(urls().filter((url) => url === PAGE)).toHaveLength(1);
});

describe("a browser that was away for long", () => {
  let lastAt: number;
  let life: Life;

  beforeEach(async () => {
    const first = await recording();
    lastAt = Date.now();
    first.commit(1, PAGE);
    await pass(100);
    first.kill();
    vi.setSystemTime(lastAt + HOUR_MS);
    world.restart();
    life = await wake(world);
    await pass(1_000);
  });

  test("records nothing until its reader has said what to do", async () => {
    expect(statusOf(await life.ask({ ask: "status" })).recording).toMatchObject({
      isInterrupted: true,
      lastAt,
    });
    expect(world.badge).toBe("!");
    life.commit(101, "https://101.example/unasked");
    await pass(6_000);
    expect(urls().join()).not.toContain("unasked");
  });

  test("saves what there was, up to its last event", async () => {
    const { recording: left, outcome, held } = await stop(life);
    expect([left, outcome?.is, held]).toEqual([null, "saved", 0]);
    expect(urls()).toContain(PAGE);
    expect(net.endedAt).toBe(lastAt);
  });

  test("or throws it away, on the server too", async () => {
    await life.ask({ ask: "discard" });
    const { recording: left, outcome, held } = await drained(life);
    expect([left, outcome?.is, held]).toEqual([null, "discarded", 0]);
    expect(net.asked).toContain("DELETE /v1/sessions/ID");
    expect(net.endedAt).toBeNull();
  });

  test("goes on by itself where it was away for a moment only", async () => {
    life.kill();
    vi.setSystemTime(Date.now() + 60_000);
    const other = new FakeBrowser();
    world = other;
    const first = await recording();
    first.kill();
    vi.setSystemTime(Date.now() + 60_000);
    other.restart();
    const second = await wake(other);
    await pass(1_000);
    expect(statusOf(await second.ask({ ask: "status" })).recording).toMatchObject({ isInterrupted: false });
  });
});

describe("what pages have said as the browser was killed", () => {
  let first: Life;
  let saidAt: number;

  const leave = (word: PageMessage) => {
    const kept: Stashed = { word, place: { tabId: 1, windowId: 1 } };
    world.local.set(STASH + word.message, kept);
  };
  const mark = (text: string, message: string) => {
    leave({ kind: "highlight", t: Date.now(), url: PAGE, text, message });
  };
  const marks = () => net.events.filter(({ type }) => type === "HIGHLIGHT");
  const left = () => [...world.local.keys()].filter((key) => key.startsWith(STASH));

  beforeEach(async () => {
    first = await recording();
    first.commit(1, PAGE);
    await pass(200);
    first.kill();
    saidAt = Date.now();
  });

  test("belongs to the recording that is saved though it was away for long", async () => {
    mark("as it was killed", "gone 1");
    vi.setSystemTime(saidAt + HOUR_MS);
    world.restart();
    const life = await wake(world);
    await pass(1_000);
    expect(statusOf(await life.ask({ ask: "status" })).recording).toMatchObject({
      isInterrupted: true,
      lastAt: saidAt,
    });
    await stop(life);
    expect(marks()).toMatchObject([{ t: saidAt, url: PAGE, payload: { text: "as it was killed" } }]);
    expect([net.endedAt, left()]).toEqual([saidAt, []]);
  });

  test("and what a page says before the reader has said what to do does not", async () => {
    vi.setSystemTime(saidAt + HOUR_MS);
    world.restart();
    mark("an hour later", "new 1");
    vi.setSystemTime(saidAt + HOUR_MS + 2_000);
    const life = await wake(world);
    await pass(1_000);
    await stop(life);
    expect([marks(), left()]).toEqual([[], []]);
    expect(net.endedAt).toBeLessThanOrEqual(saidAt);
  });

  test("comes before the restart: a tab of the new run is not where the old one was", async () => {
    const url = "https://1.example/old";
    leave({ kind: "shown", t: saidAt, url, bornAt: saidAt, isFirst: true, message: "gone 1" });
    vi.setSystemTime(saidAt + 60_000);
    world.restart();
    world.tabs = [tab(1, { active: true })]; // Firefox counts from 1 in every run
    const life = await wake(world);
    await pass(3_000);
    await stop(life);
    const restart = net.events.findIndex(({ payload }) => "restart" in (payload ?? {}));
    expect(net.events.slice(0, restart).map((event) => event.url)).toContain(url);
    expect(net.events.slice(restart).map((event) => event.url)).not.toContain(url);
  });
});
