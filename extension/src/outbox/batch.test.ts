import "fake-indexeddb/auto";
import { beforeEach, expect, test } from "vitest";
import { ackedRanges, deleteAcked, MOST_BYTES, nextBatch } from "./batch";
import { type Database, openDatabase } from "./database";
import { begin, record } from "./recordings";
import { highlight, ID, OWNER, recordHighlights, RULES, START } from "./testing";

let db: Database;

beforeEach(async () => {
  db = await openDatabase(`test ${Math.random()}`);
});

const fill = (count: number) => recordHighlights(db, count);

test("a batch has less than six megabytes", async () => {
  await begin(db, ID, OWNER, START);
  for (let tabId = 1; tabId <= 700; tabId++)
    await record(
      db,
      {
        kind: "content",
        t: START,
        tabId,
        url: "http://a.example/",
        content: "한".repeat(10_000),
        extractionOk: true,
        meta: {},
      },
      RULES,
    );
  const batch = await nextBatch(db, ID, 0, 700);
  const bytes = new TextEncoder().encode(JSON.stringify({ events: batch.map((each) => each.event) })).length;
  expect(bytes).toBeLessThan(MOST_BYTES + 100);
  expect(bytes).toBeGreaterThan(MOST_BYTES * 0.9);
});

test("missing events are kept and sent again", async () => {
  await fill(6);
  const receipt = { accepted: 0, duplicates: 0, rejected: [] };
  await deleteAcked(db, ID, { ...receipt, ackedSeq: 5, missing: [[2, 3]] });
  expect((await nextBatch(db, ID, 0, 200)).map(({ seq }) => seq)).toEqual([2, 3, 6]);
});

test("numbers that the disk has lost and the server has are not reused", async () => {
  await fill(2);
  await deleteAcked(db, ID, { accepted: 0, duplicates: 0, rejected: [], ackedSeq: 9, missing: [] });
  expect(await record(db, highlight(5), RULES)).toEqual({ events: 1, lastSeq: 10 });
});

test("acked ranges are everything up to the acked number except missing ones", () => {
  expect(ackedRanges(10, [])).toEqual([[1, 10]]);
  expect(ackedRanges(0, [[1, 3]])).toEqual([]);
  expect(
    ackedRanges(10, [
      [8, 12],
      [3, 4],
    ]),
  ).toEqual([
    [1, 2],
    [5, 7],
  ]);
});
