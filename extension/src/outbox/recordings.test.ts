import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Observation } from "../capture/observations";
import { deleteAcked, nextBatch } from "./batch";
import { allOf, type Database, openDatabase, type Recording } from "./database";
import { begin, countsOf, current, dropAll, end, forgetPages, interrupt, nameOf, record } from "./recordings";
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

describe("pages", () => {
  const commit = (t: number, url: string, title?: string): Observation[] => [
    { kind: "committed", t: START + t, tabId: 1, url, isSameDocument: false, transition: "link" },
    ...(title === undefined ? [] : [{ kind: "updated" as const, t: START + t + 1, tabId: 1, title }]),
  ];
  const open: Observation = {
    kind: "snapshot",
    t: START,
    tabs: [{ id: 1, windowId: 1, isActive: true, isPrivate: false, url: "http://a.example/", title: "A" }],
    focusedWindowId: 1,
    isRestart: false,
  };
  const recorded = async (...observations: Observation[]): Promise<Recording> => {
    await begin(db, ID, OWNER, START);
    for (const each of [open, ...observations]) await record(db, each, RULES);
    const recording = await current(db);
    if (recording === null) throw new Error("nothing is recorded");
    return recording;
  };

  test("are counted by their stays in the foreground, the present one included, each once", async () => {
    const recording = await recorded(
      ...commit(1_000, "http://b.example/"),
      ...commit(2_000, "https://www.a.example"), // the same page as the first
      ...commit(3_000, "http://zero.example/"),
      ...commit(3_000, "http://b.example/?y=1&x=2#part"),
      ...commit(4_000, "http://b.example/?x=2&y=1"),
      { kind: "highlight", t: START + 5_000, tabId: 2, url: "http://elsewhere.example/", text: "x" },
    );
    expect(await countsOf(db, recording)).toEqual({ pages: 3, highlights: 1 });
  });

  test("are as many as the server says once it has all events", async () => {
    const recording = await recorded(...commit(1_000, "http://b.example/"));
    const receipt = { accepted: 0, duplicates: 0, rejected: [], missing: [] };
    await deleteAcked(db, ID, { ...receipt, ackedSeq: recording.lastSeq - 1, pageCount: 7 });
    expect(await countsOf(db, (await current(db)) ?? recording)).toMatchObject({ pages: 2 });
    await deleteAcked(db, ID, { ...receipt, ackedSeq: recording.lastSeq, pageCount: 7 });
    expect(await countsOf(db, (await current(db)) ?? recording)).toMatchObject({ pages: 7 });
  });

  test("name the recording after the one that was read most", async () => {
    const recording = await recorded(
      ...commit(1_000, "http://b.example/", "Bees"),
      ...commit(9_000, "http://c.example/", "Cats"),
    );
    expect(await nameOf(db, recording, START + 9_500)).toEqual({ title: "Bees", morePages: 2 });
    expect(await nameOf(db, recording, START + 60_000)).toEqual({ title: "Cats", morePages: 2 });
  });
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

test("of a forgotten site nothing is remembered here, and of other sites everything", async () => {
  await begin(db, ID, OWNER, START);
  const snapshot = { tabs: [{ id: 1, windowId: 1, isActive: true, isPrivate: false }], focusedWindowId: 1 };
  const go = (t: number, url: string): Observation[] => [
    { kind: "committed", t: START + t, tabId: 1, url, isSameDocument: false, transition: "link" },
    { kind: "updated", t: START + t + 1, tabId: 1, title: `Title of ${url}` },
  ];
  for (const observation of [
    { kind: "snapshot", t: START, ...snapshot, isRestart: false } as const,
    ...go(1_000, "https://shop.secret.example/a"),
    ...go(60_000, "https://kept.example/"),
    ...go(70_000, "https://secret.example/b"),
  ])
    await record(db, observation, RULES);
  await forgetPages(db, "secret.example");
  const left = JSON.stringify([
    await db.getAll("pages"),
    await db.getAllKeys("pages"),
    (await current(db))?.capture.foreground?.title,
  ]);
  expect(left).not.toContain("secret");
  expect((await db.getAll("pages")).length).toBe(1);
  await forgetPages(db, null);
  expect(await db.count("pages")).toBe(0);
});
