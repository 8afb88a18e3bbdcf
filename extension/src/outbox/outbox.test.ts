import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Happening, Rules } from "../capture/model";
import { MOST_BYTES, nextBatch, settle, stored } from "./batch";
import { allOf, type Database, getValue, openDatabase } from "./database";
import { begin, countsOf, current, discard, dropAll, end, interrupt, take } from "./recordings";
import { afterFailure, isDue, LONGEST_MS, NO_FAILURE } from "./retry";
import { Sender } from "./sender";
import { isTight } from "./space";
import { FakeServer } from "./testing";

const RULES: Rules = { excluded: [], only: null };
const ID = "00000000-0000-4000-8000-000000000001";
const OWNER = "http://server someone";
const DAY_MS = 86_400_000;

let db: Database;
let server: FakeServer;
let clock: number;
let owner: string | null;
let sender: Sender;

beforeEach(async () => {
  db = await openDatabase(`test ${Math.random()}`);
  server = new FakeServer();
  clock = 1_000_000;
  owner = OWNER;
  sender = new Sender({
    db,
    server,
    owner: () => Promise.resolve(owner),
    now: () => clock,
    random: () => 0.5,
  });
});

const mark = (tabId: number, text = `mark ${tabId}`): Happening => ({
  kind: "highlight",
  t: clock,
  tabId,
  url: `http://a.example/${tabId}`,
  text,
});

async function record(count: number): Promise<void> {
  await begin(db, ID, OWNER, clock);
  for (let tabId = 1; tabId <= count; tabId++) await take(db, mark(tabId), RULES);
}

const held = () => db.count("events", allOf(ID));

describe("recording", () => {
  test("numbers are given in the order of storing, without holes", async () => {
    await record(0);
    await Promise.all([1, 2, 3, 4, 5].map((tabId) => take(db, mark(tabId), RULES)));
    const events = await nextBatch(db, ID, 0, 200);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(events.map(({ event }) => event.payload?.text)).toEqual(
      [1, 2, 3, 4, 5].map((each) => `mark ${each}`),
    );
  });

  test("nothing is stored while nothing is recorded", async () => {
    expect(await take(db, mark(1), RULES)).toBeNull();
    await record(1);
    await end(db, clock);
    expect(await take(db, mark(2), RULES)).toBeNull();
    expect(await held()).toBe(1);
  });

  test("beginning twice is the same as once", async () => {
    await record(1);
    expect((await begin(db, "another", OWNER, clock)).id).toBe(ID);
  });

  test("pages and highlights are counted", async () => {
    await record(3);
    await take(db, mark(3, "once more"), RULES);
    const recording = await current(db);
    expect(recording && (await countsOf(db, recording))).toEqual({ pages: 3, highlights: 4 });
  });

  test("for want of room the pages' texts are left out, and no number with them", async () => {
    await record(1);
    const page: Happening = {
      kind: "content",
      t: clock,
      tabId: 1,
      url: "http://a.example/",
      content: "x",
      extractionOk: true,
      meta: {},
    };
    expect(await take(db, page, RULES, { isLean: true })).toEqual({ events: 0, lastSeq: 1 });
    expect(await take(db, mark(2), RULES)).toEqual({ events: 1, lastSeq: 2 });
  });

  test("the entry of the journal that was taken last is known, by the transaction that took it", async () => {
    await begin(db, "s", OWNER, 1);
    for (const tabId of [1, 2]) {
      await take(db, mark(tabId), RULES, { key: `happening ${tabId}` });
      expect(await current(db)).toMatchObject({ lastSeq: tabId, taken: `happening ${tabId}` });
    }
  });

  test("an interrupted recording takes nothing more, and ends with its last event", async () => {
    await record(1);
    const last = clock;
    clock += DAY_MS;
    await interrupt(db);
    expect(await take(db, mark(2), RULES)).toBeNull();
    expect((await end(db, clock))?.endedAt).toBe(last);
  });
});

describe("sending", () => {
  test("a recording is started, sent, stopped and dropped", async () => {
    await record(450);
    await end(db, clock);
    expect(await sender.flush()).toBe("sent");
    expect(server.calls).toEqual(["start", "send 200", "send 200", "send 50", "stop"]);
    expect(server.sessions.get(ID)?.lastSeq).toBe(450);
    expect(await db.count("recordings")).toBe(0);
    expect((await getValue(db, "outcome"))?.is).toBe("saved");
  });

  test("the server may be away from the first moment to long after the last", async () => {
    server.fault = () => "down";
    await record(3);
    for (let hour = 0; hour < 7 * 24; hour++) {
      clock += 3_600_000;
      await take(db, { kind: "tick", t: clock }, RULES);
      expect(await sender.flush()).toBe("waiting");
    }
    await end(db, clock);
    server.fault = () => "none";
    clock += LONGEST_MS;
    expect(await sender.flush()).toBe("sent");
    expect(server.events(ID).map((event) => event.seq)).toEqual(
      [...Array(171).keys()].map((index) => index + 1),
    );
  });

  test("after a failure it waits, unless it is urgent", async () => {
    server.fault = () => "down";
    await record(1);
    expect(await sender.flush()).toBe("waiting");
    expect(await sender.flush()).toBe("waiting");
    expect(server.calls).toHaveLength(1);
    await sender.flush(true);
    expect(server.calls).toHaveLength(2);
  });

  test("a waiting time outlives the worker, and ends with the first success", async () => {
    server.fault = () => "down";
    await record(1);
    await sender.flush();
    server.fault = () => "none";
    const reborn = new Sender({
      db,
      server,
      owner: () => Promise.resolve(owner),
      now: () => clock,
      random: Math.random,
    });
    expect(await reborn.flush()).toBe("waiting");
    clock += LONGEST_MS;
    expect(await reborn.flush()).toBe("sent");
    expect(await getValue(db, "retry")).toEqual(NO_FAILURE);
  });

  test("an event that can never be read makes room for one that says nothing", async () => {
    await record(20);
    server.isBad = (event) => event.payload?.text === "mark 7" || event.payload?.text === "mark 8";
    expect(await sender.flush()).toBe("sent");
    expect(await held()).toBe(0);
    const types = server.events(ID).map((event) => event.type);
    expect(types).toHaveLength(20);
    expect([types[6], types[7]]).toEqual(["ALIVE", "ALIVE"]);
    expect(types.filter((type) => type === "HIGHLIGHT")).toHaveLength(18);
  });

  test("a server that reads nothing at all ends in nothing held, not in a loop", async () => {
    await record(5);
    server.isBad = () => true;
    expect(await sender.flush()).toBe("sent");
    expect(await held()).toBe(0);
  });

  test("a server that takes less gets less", async () => {
    await record(100);
    server.mostEvents = 30;
    expect(await sender.flush()).toBe("sent");
    expect(server.events(ID)).toHaveLength(100);
  });

  test("a batch has less than six megabytes", async () => {
    await begin(db, ID, OWNER, clock);
    for (let tabId = 1; tabId <= 700; tabId++)
      await take(
        db,
        {
          kind: "content",
          t: clock,
          tabId,
          url: "http://a.example/",
          content: "한".repeat(10_000),
          extractionOk: true,
          meta: {},
        },
        RULES,
      );
    const batch = await nextBatch(db, ID, 0, 700);
    const bytes = new TextEncoder().encode(
      JSON.stringify({ events: batch.map((each) => each.event) }),
    ).length;
    expect(bytes).toBeLessThan(MOST_BYTES + 100);
    expect(bytes).toBeGreaterThan(MOST_BYTES * 0.9);
  });

  test("a session that the server has lost is started again with the same id", async () => {
    await record(3);
    await sender.flush();
    server.sessions.clear();
    await take(db, mark(9), RULES);
    expect(await sender.flush()).toBe("sent");
    expect(server.calls.slice(2)).toEqual(["send 1", "start", "send 1"]);
  });

  test("a session that was deleted is let go", async () => {
    await record(3);
    await sender.flush();
    server.sessions.clear();
    server.deleted.add(ID);
    await take(db, mark(9), RULES);
    expect(await sender.flush()).toBe("sent");
    expect(await current(db)).toBeNull();
    expect(await held()).toBe(0);
    expect((await getValue(db, "outcome"))?.is).toBe("refused");
  });

  test("what is missing is kept and sent again", async () => {
    await record(6);
    const receipt = { accepted: 0, duplicates: 0, rejected: [] };
    await settle(db, ID, { ...receipt, ackedSeq: 5, missing: [[2, 3]] });
    expect((await nextBatch(db, ID, 0, 200)).map(({ seq }) => seq)).toEqual([2, 3, 6]);
  });

  test("numbers that the disk has lost and the server has are not given again", async () => {
    await record(2);
    await settle(db, ID, { accepted: 0, duplicates: 0, rejected: [], ackedSeq: 9, missing: [] });
    expect(await take(db, mark(5), RULES)).toEqual({ events: 1, lastSeq: 10 });
  });

  test("nothing is sent to another account", async () => {
    await record(2);
    owner = "http://server somebody else";
    expect(await sender.flush()).toBe("sent");
    expect(server.calls).toEqual([]);
    owner = null;
    expect(await sender.flush()).toBe("signed-out");
    expect(await held()).toBe(2);
  });

  test("who asks while it is sending is served as well", async () => {
    await record(2);
    const first = sender.flush();
    await take(db, mark(3), RULES);
    await Promise.all([first, sender.flush()]);
    expect(await held()).toBe(0);
  });
});

describe("throwing away", () => {
  test("what the server never heard of leaves no trace there", async () => {
    await record(2);
    await discard(db, clock);
    expect(await sender.flush()).toBe("sent");
    expect(server.calls).toEqual([]);
    expect(await db.count("recordings")).toBe(0);
  });

  test("what it may have heard of is taken back", async () => {
    await record(2);
    server.fault = () => "answer-lost";
    await sender.flush();
    server.fault = () => "none";
    await discard(db, clock);
    await sender.flush(true);
    expect(server.sessions.size).toBe(0);
    expect((await getValue(db, "outcome"))?.is).toBe("discarded");
  });

  test("where it may not be taken back it is ended", async () => {
    await record(2);
    await sender.flush();
    server.mayRemove = false;
    await discard(db, clock);
    await sender.flush();
    expect(server.calls.slice(-2)).toEqual(["remove", "stop"]);
    expect(await db.count("recordings")).toBe(0);
  });

  test("all local data can be deleted", async () => {
    await record(2);
    await dropAll(db);
    expect(await held()).toBe(0);
    expect(await current(db)).toBeNull();
  });
});

describe("small rules", () => {
  test("what is stored is all up to the acknowledged number but the holes", () => {
    expect(stored(10, [])).toEqual([[1, 10]]);
    expect(stored(0, [[1, 3]])).toEqual([]);
    expect(
      stored(10, [
        [8, 12],
        [3, 4],
      ]),
    ).toEqual([
      [1, 2],
      [5, 7],
    ]);
  });

  test("waits grow, end at five minutes, and obey the server", () => {
    let retry = NO_FAILURE;
    const waits: number[] = [];
    for (let failure = 0; failure < 12; failure++) {
      retry = afterFailure(retry, 0, 1);
      waits.push(retry.notBefore);
    }
    expect(waits.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
    expect(Math.max(...waits)).toBe(LONGEST_MS);
    expect(afterFailure(NO_FAILURE, 0, 0).notBefore).toBe(1_000);
    expect(afterFailure(NO_FAILURE, 0, 0, 60_000).notBefore).toBe(60_000);
  });

  test("a clock that was put back does not make it wait for ever", () => {
    expect(isDue({ failures: 1, notBefore: 10 * LONGEST_MS }, 0)).toBe(true);
    expect(isDue({ failures: 1, notBefore: LONGEST_MS }, 0)).toBe(false);
  });

  test("a warning comes before the disk is full", () => {
    expect(isTight({ usage: 1_000_000, quota: 1_000_000_000 })).toBe(false);
    expect(isTight({ usage: 810_000_000, quota: 1_000_000_000 })).toBe(true);
    expect(isTight({ usage: 1_000_000, quota: 40_000_000 })).toBe(true);
  });
});
