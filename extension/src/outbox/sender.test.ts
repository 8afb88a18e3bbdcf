import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test } from "vitest";
import { allOf, type Database, getValue, openDatabase } from "./database";
import { begin, current, discard, end, record } from "./recordings";
import { LONGEST_RETRY_MS, NO_FAILURE } from "./retry";
import { keepSave } from "./saves";
import { Sender } from "./sender";
import { FakeServer, highlight, ID, OWNER, recordHighlights, RULES, START } from "./testing";

let db: Database;
let server: FakeServer;
let clock: number;
let owner: string | null;
let sender: Sender;

beforeEach(async () => {
  db = await openDatabase(`test ${Math.random()}`);
  server = new FakeServer();
  clock = START;
  owner = OWNER;
  sender = new Sender({
    db,
    server,
    owner: () => Promise.resolve(owner),
    now: () => clock,
    random: () => 0.5,
  });
});

const fill = (count: number) => recordHighlights(db, count);
const unsent = () => db.count("events", allOf(ID));

test("a recording is started, sent, stopped and dropped", async () => {
  await fill(450);
  await end(db, clock);
  expect(await sender.flush()).toBe("sent");
  expect(server.calls).toEqual(["start", "send 200", "send 200", "send 50", "stop"]);
  expect(server.sessions.get(ID)?.lastSeq).toBe(450);
  expect(await db.count("recordings")).toBe(0);
  expect((await getValue(db, "outcome"))?.is).toBe("saved");
});

test("the server may be unreachable for the whole recording and long after", async () => {
  server.fault = () => "down";
  await fill(3);
  for (let hour = 0; hour < 7 * 24; hour++) {
    clock += 3_600_000;
    await record(db, { kind: "tick", t: clock }, RULES);
    expect(await sender.flush()).toBe("waiting");
  }
  await end(db, clock);
  server.fault = () => "none";
  clock += LONGEST_RETRY_MS;
  expect(await sender.flush()).toBe("sent");
  expect(server.events(ID).map((event) => event.seq)).toEqual(
    [...Array(171).keys()].map((index) => index + 1),
  );
});

test("after a failure it waits, unless the flush is urgent", async () => {
  server.fault = () => "down";
  await fill(1);
  expect(await sender.flush()).toBe("waiting");
  expect(await sender.flush()).toBe("waiting");
  expect(server.calls).toHaveLength(1);
  await sender.flush(true);
  expect(server.calls).toHaveLength(2);
});

test("the retry delay survives the worker, and ends with the first success", async () => {
  server.fault = () => "down";
  await fill(1);
  await sender.flush();
  server.fault = () => "none";
  const second = new Sender({
    db,
    server,
    owner: () => Promise.resolve(owner),
    now: () => clock,
    random: Math.random,
  });
  expect(await second.flush()).toBe("waiting");
  clock += LONGEST_RETRY_MS;
  expect(await second.flush()).toBe("sent");
  expect(await getValue(db, "retry")).toEqual(NO_FAILURE);
});

test("an event that the server never accepts is replaced by an empty one", async () => {
  await fill(20);
  server.isInvalid = (event) =>
    event.payload?.text === "highlight 7" || event.payload?.text === "highlight 8";
  expect(await sender.flush()).toBe("sent");
  expect(await unsent()).toBe(0);
  const types = server.events(ID).map((event) => event.type);
  expect(types).toHaveLength(20);
  expect([types[6], types[7]]).toEqual(["ALIVE", "ALIVE"]);
  expect(types.filter((type) => type === "HIGHLIGHT")).toHaveLength(18);
});

test("a server that refuses every event does not cause a loop", async () => {
  await fill(5);
  server.isInvalid = () => true;
  expect(await sender.flush()).toBe("sent");
  expect(await unsent()).toBe(0);
});

test("a server with a lower limit gets smaller batches", async () => {
  await fill(100);
  server.mostEvents = 30;
  expect(await sender.flush()).toBe("sent");
  expect(server.events(ID)).toHaveLength(100);
});

test("a session that the server has lost is started again under the same id", async () => {
  await fill(3);
  await sender.flush();
  server.sessions.clear();
  await record(db, highlight(9), RULES);
  expect(await sender.flush()).toBe("sent");
  expect(server.calls.slice(2)).toEqual(["send 1", "start", "send 1"]);
});

test("a session that was deleted is dropped", async () => {
  await fill(3);
  await sender.flush();
  server.sessions.clear();
  server.deleted.add(ID);
  await record(db, highlight(9), RULES);
  expect(await sender.flush()).toBe("sent");
  expect(await current(db)).toBeNull();
  expect(await unsent()).toBe(0);
  expect((await getValue(db, "outcome"))?.is).toBe("refused");
});

describe("when the plan allows no more sessions at once", () => {
  const running = [{ id: "other", title: "Travel", startedAt: 5, device: "Firefox" }];

  test("that start is let go with all it held, and says which one runs", async () => {
    server.running = running;
    await fill(3);
    expect(await sender.flush()).toBe("sent");
    expect(server.calls).toEqual(["start"]);
    expect([await unsent(), await db.count("recordings"), await db.count("pages")]).toEqual([0, 0, 0]);
    expect(await current(db)).toBeNull();
    expect(await getValue(db, "outcome")).toMatchObject({ id: ID, is: "limit", running });
    // Not a server that is away: nothing has to wait for it.
    expect((await getValue(db, "retry")) ?? NO_FAILURE).toEqual(NO_FAILURE);
  });

  test("everything else is sent all the same", async () => {
    await fill(2);
    await end(db, clock);
    server.sessions.set(ID, { events: new Map(), lastSeq: null }); // known since it began offline
    server.running = running;
    const later = "00000000-0000-4000-8000-000000000002";
    await begin(db, later, OWNER, START + 1);
    await record(db, highlight(7), RULES);
    await keepSave(db, OWNER, "https://saved.example/", "Saved", clock);
    expect(await sender.flush()).toBe("sent");
    expect(server.events(ID)).toHaveLength(2);
    expect(server.saved).toEqual(["https://saved.example/"]);
    expect(await db.count("events")).toBe(0);
    expect(await getValue(db, "outcome")).toMatchObject({ id: later, is: "limit" });
  });

  test("a session that the server knows goes on", async () => {
    await fill(1);
    await sender.flush();
    server.running = running;
    await record(db, highlight(2), RULES);
    expect(await sender.flush()).toBe("sent");
    expect(server.events(ID)).toHaveLength(2);
    expect((await current(db))?.id).toBe(ID);
  });
});

test("nothing is sent to another account", async () => {
  await fill(2);
  owner = "http://server somebody else";
  expect(await sender.flush()).toBe("sent");
  expect(server.calls).toEqual([]);
  owner = null;
  expect(await sender.flush()).toBe("signed-out");
  expect(await unsent()).toBe(2);
});

test("events stored during a flush are sent by the next one", async () => {
  await fill(2);
  const first = sender.flush();
  await record(db, highlight(3), RULES);
  await Promise.all([first, sender.flush()]);
  expect(await unsent()).toBe(0);
});

describe("discarding", () => {
  test("what the server doesn't know causes no request", async () => {
    await fill(2);
    await discard(db, clock);
    expect(await sender.flush()).toBe("sent");
    expect(server.calls).toEqual([]);
    expect(await db.count("recordings")).toBe(0);
  });

  test("what the server may know is deleted there", async () => {
    await fill(2);
    server.fault = () => "answer-lost";
    await sender.flush();
    server.fault = () => "none";
    await discard(db, clock);
    await sender.flush(true);
    expect(server.sessions.size).toBe(0);
    expect((await getValue(db, "outcome"))?.is).toBe("discarded");
  });

  test("where it may not be deleted it is stopped", async () => {
    await fill(2);
    await sender.flush();
    server.mayRemove = false;
    await discard(db, clock);
    await sender.flush();
    expect(server.calls.slice(-2)).toEqual(["remove", "stop"]);
    expect(await db.count("recordings")).toBe(0);
  });
});
