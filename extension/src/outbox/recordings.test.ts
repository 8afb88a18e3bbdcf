import "fake-indexeddb/auto";
import { beforeEach, expect, test } from "vitest";
import type { Observation } from "../capture/observations";
import { nextBatch } from "./batch";
import { allOf, type Database, openDatabase } from "./database";
import { begin, countsOf, current, dropAll, end, interrupt, record } from "./recordings";
import { DAY_MS, highlight, ID, OWNER, recordHighlights, RULES, START } from "./testing";

let db: Database;

beforeEach(async () => {
  db = await openDatabase(`test ${Math.random()}`);
});

const fill = (count: number) => recordHighlights(db, count);
const unsent = () => db.count("events", allOf(ID));

test("events are numbered in the order of storing, without gaps", async () => {
  await fill(0);
  await Promise.all([1, 2, 3, 4, 5].map((tabId) => record(db, highlight(tabId), RULES)));
  const events = await nextBatch(db, ID, 0, 200);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(events.map(({ event }) => event.payload?.text)).toEqual(
    [1, 2, 3, 4, 5].map((each) => `highlight ${each}`),
  );
});

test("nothing is stored while nothing is being recorded", async () => {
  expect(await record(db, highlight(1), RULES)).toBeNull();
  await fill(1);
  await end(db, START);
  expect(await record(db, highlight(2), RULES)).toBeNull();
  expect(await unsent()).toBe(1);
});

test("beginning twice is the same as beginning once", async () => {
  await fill(1);
  expect((await begin(db, "another", OWNER, START)).id).toBe(ID);
});

test("pages and highlights are counted", async () => {
  await fill(3);
  await record(db, highlight(3, "once more"), RULES);
  const recording = await current(db);
  expect(recording && (await countsOf(db, recording))).toEqual({ pages: 3, highlights: 4 });
});

test("on a full disk texts are left out, without skipping a number", async () => {
  await fill(1);
  const page: Observation = {
    kind: "content",
    t: START,
    tabId: 1,
    url: "http://a.example/",
    content: "x",
    extractionOk: true,
    meta: {},
  };
  expect(await record(db, page, RULES, { omitsText: true })).toEqual({ events: 0, lastSeq: 1 });
  expect(await record(db, highlight(2), RULES)).toEqual({ events: 1, lastSeq: 2 });
});

test("the log key of the last stored observation is stored in the same transaction", async () => {
  await begin(db, "s", OWNER, 1);
  for (const tabId of [1, 2]) {
    await record(db, highlight(tabId), RULES, { key: `observation ${tabId}` });
    expect(await current(db)).toMatchObject({ lastSeq: tabId, taken: `observation ${tabId}` });
  }
});

test("an interrupted recording accepts no more events, and ends with its last one", async () => {
  await fill(1);
  await interrupt(db);
  expect(await record(db, highlight(2), RULES)).toBeNull();
  expect((await end(db, START + DAY_MS))?.endedAt).toBe(START);
});

test("all local data can be deleted", async () => {
  await fill(2);
  await dropAll(db);
  expect(await unsent()).toBe(0);
  expect(await current(db)).toBeNull();
});
