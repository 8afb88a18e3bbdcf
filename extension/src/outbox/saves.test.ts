import "fake-indexeddb/auto";
import { openDB } from "idb";
import { beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "./database";
import { keepSave, sendSaves } from "./saves";
import { FakeServer, OWNER } from "./testing";

let db: Database;
let server: FakeServer;

beforeEach(async () => {
  db = await openDatabase(`saves ${Math.random()}`);
  server = new FakeServer();
});

const keep = (address: string, at = 1) => keepSave(db, OWNER, address, "A title", at);

test("pages are sent in the order in which they were saved, and then no longer kept", async () => {
  await keep("https://b.example/", 2);
  await keep("https://a.example/", 1);
  expect(await sendSaves(db, server, OWNER)).toBeNull();
  expect(server.saved).toEqual(["https://a.example/", "https://b.example/"]);
  expect(await db.count("saves")).toBe(0);
});

test("a page that waits already is not kept twice", async () => {
  await keep("https://a.example/", 1);
  await keep("https://a.example/", 2);
  expect(await db.count("saves")).toBe(1);
});

test("while the server is away nothing is lost", async () => {
  await keep("https://a.example/");
  server.fault = () => "down";
  expect((await sendSaves(db, server, OWNER))?.kind).toBe("unreachable");
  expect(await db.count("saves")).toBe(1);
  server.fault = () => "none";
  expect(await sendSaves(db, server, OWNER)).toBeNull();
  expect(server.saved).toEqual(["https://a.example/"]);
});

test("what the server can never read does not hold up the rest", async () => {
  await keep("https://invalid.example/", 1);
  await keep("https://a.example/", 2);
  expect(await sendSaves(db, server, OWNER)).toBeNull();
  expect(server.saved).toEqual(["https://a.example/"]);
  expect(await db.count("saves")).toBe(0);
});

test("pages of another account wait for it", async () => {
  await keepSave(db, "another", "https://a.example/", "", 1);
  expect(await sendSaves(db, server, OWNER)).toBeNull();
  expect(server.saved).toEqual([]);
  expect(await db.count("saves")).toBe(1);
});

test("the database of an earlier version keeps what it has", async () => {
  const name = `earlier ${Math.random()}`;
  const before = await openDB(name, 1, {
    upgrade(made) {
      made.createObjectStore("recordings", { keyPath: "id" });
      made.createObjectStore("events", { keyPath: ["recording", "seq"] });
      made.createObjectStore("pages");
      made.createObjectStore("values");
    },
  });
  await before.put("values", "one", "current");
  before.close();
  const now = await openDatabase(name);
  expect(await now.get("values", "current")).toBe("one");
  expect(await now.count("saves")).toBe(0);
});
