/**
 * What is kept in IndexedDB: recordings with the reducer's state, numbered events, and a few values. One database, so that
 * an event, its number and the state it led to are stored by one transaction or not at all. Field names are stored: renaming
 * one needs a migration.
 *
 *     recordings  by id                what is being recorded, or still has to be sent
 *     events      by [recording, seq]  until the server has them
 *     pages       by [recording, page] how long each was read: for the popup's count, and the session's name
 *     saves       by [owner, address]  pages for the library that the server doesn't have yet
 *     values      by name              the current recording, the next retry, how the last recording ended
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import type { SentEvent } from "@mindhit/client";
import type { CaptureState } from "../capture/state";

export interface Recording {
  readonly id: string;
  /** The account it belongs to; it is sent to no other. */
  readonly owner: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly lastSeq: number;
  readonly ackedSeq: number;
  /** Whether the server knows it. `told`: a start was sent, so it may. */
  readonly start: "untold" | "told" | "known";
  readonly isStopKnown: boolean;
  readonly isDiscarded: boolean;
  /** The browser was closed for so long that the user is asked what to do with the recording. */
  readonly isInterrupted: boolean;
  readonly highlights: number;
  /** Who started it. One that started by itself also ends by itself; absent in those of version 0.1. */
  readonly startedBy?: "user" | "itself";
  /** How many pages the server counted when it last answered. */
  readonly pagesOnServer?: number;
  readonly capture: CaptureState;
  /** The key in the write-ahead log of the last stored observation: the next worker must not store it again. */
  readonly taken?: string;
}

export interface StoredEvent {
  readonly recording: string;
  readonly seq: number;
  /** Bytes when sent. */
  readonly size: number;
  readonly event: SentEvent;
}

/** A page that was in the foreground; `true` in recordings of version 0.1, which kept no times. */
export interface ReadPage {
  readonly title?: string | undefined;
  readonly ms: number;
}

/** What a session is called as long as it has no title: the page that was read most, and how many others there were. */
export interface SessionName {
  readonly title: string;
  readonly morePages: number;
}

/** Why a server that answers takes no events for a while: its space, or what it accepts in a day, is used up. */
export type Refusal = "no-space" | "daily-limit";

export interface Retry {
  readonly failures: number;
  readonly notBefore: number;
  readonly refusal?: Refusal;
}

/** A session that is being recorded elsewhere, while the plan allows no other. */
export interface RunningSession {
  readonly id: string;
  readonly title: string | null;
  readonly startedAt: number;
  /** What records it. */
  readonly device: string | null;
}

/** How the last recording ended. `limit`: the plan allows no more at once; `running` are those that run. */
export interface Outcome {
  readonly id: string;
  readonly owner: string;
  readonly at: number;
  readonly is: "saved" | "discarded" | "refused" | "limit";
  readonly name?: SessionName | undefined;
  readonly running?: readonly RunningSession[] | undefined;
}

/** A page that the user saved to the library. */
export interface Save {
  readonly owner: string;
  readonly address: string;
  readonly title: string;
  readonly at: number;
  /** To be reminded of it, from tomorrow on; it is saved with that. */
  readonly reminds?: boolean;
}

export interface Values {
  current: string | null;
  retry: Retry;
  outcome: Outcome;
}

interface Schema extends DBSchema {
  recordings: { key: string; value: Recording };
  events: { key: [string, number]; value: StoredEvent };
  pages: { key: [string, string]; value: ReadPage | true };
  saves: { key: [string, string]; value: Save };
  values: { key: keyof Values; value: Values[keyof Values] };
}
export type Database = IDBPDatabase<Schema>;
export type Store = "recordings" | "events" | "pages" | "saves" | "values";
export type WriteTx = IDBPTransaction<Schema, Store[], "readwrite">;

export const STORES: Store[] = ["recordings", "events", "pages", "saves", "values"];

export function openDatabase(name = "mindhit"): Promise<Database> {
  return openDB<Schema>(name, 2, {
    upgrade(db, before) {
      db.createObjectStore("saves", { keyPath: ["owner", "address"] });
      if (before >= 1) return;
      db.createObjectStore("recordings", { keyPath: "id" });
      db.createObjectStore("events", { keyPath: ["recording", "seq"] });
      db.createObjectStore("pages");
      db.createObjectStore("values");
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close(); // a newer version of the extension is waiting for it
    },
  });
}

/**
 * One transaction for all of `work`. Strict durability: a number that was sent must survive a power cut, or it would be
 * given to another event, which the server would take for a duplicate.
 */
export async function write<T>(db: Database, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  const tx = db.transaction(STORES, "readwrite", { durability: "strict" });
  try {
    const result = await work(tx);
    await tx.done;
    return result;
  } catch (error) {
    tx.done.catch(() => undefined);
    try {
      tx.abort();
    } catch {
      // It has ended already.
    }
    throw error;
  }
}

export async function getValue<K extends keyof Values>(
  from: Database | WriteTx,
  name: K,
): Promise<Values[K] | undefined> {
  const found = "objectStore" in from ? from.objectStore("values").get(name) : from.get("values", name);
  return (await found) as Values[K] | undefined;
}

export async function setValue<K extends keyof Values>(
  tx: WriteTx,
  name: K,
  value: Values[K],
): Promise<void> {
  await tx.objectStore("values").put(value, name);
}

/** The id of the recording in progress. */
export async function currentId(from: Database | WriteTx): Promise<string | null> {
  return (await getValue(from, "current")) ?? null;
}

/** Change a recording, if it still exists. */
export async function change(
  tx: WriteTx,
  id: string,
  how: (recording: Recording) => Partial<Recording>,
): Promise<Recording | null> {
  const found = await tx.objectStore("recordings").get(id);
  if (found === undefined) return null;
  const changed = { ...found, ...how(found) };
  await tx.objectStore("recordings").put(changed);
  return changed;
}

/** The keys of a recording's events from `first` to `last`. */
export function eventsBetween(id: string, first: number, last: number): IDBKeyRange {
  return IDBKeyRange.bound([id, first], [id, last]);
}

/** All keys that begin with a recording's id: in IndexedDB an array sorts after any text or number. */
export function allOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}
