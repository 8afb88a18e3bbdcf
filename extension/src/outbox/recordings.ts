/**
 * Recordings are begun, filled and ended here, whether or not the server is reachable. An observation is reduced to events,
 * which are numbered and stored in one transaction: a worker that is stopped leaves all of it or nothing.
 */
import type { NewEvent } from "../capture/events";
import type { Rules } from "../capture/exclusions";
import type { Observation } from "../capture/observations";
import { reduce } from "../capture/reduce";
import { NOTHING_KNOWN } from "../capture/state";
import {
  allOf,
  change,
  currentId,
  type Database,
  type Outcome,
  type Recording,
  setValue,
  type StoredEvent,
  STORES,
  write,
  type WriteTx,
} from "./database";

export interface Counts {
  readonly pages: number;
  readonly highlights: number;
}

export function begin(db: Database, id: string, owner: string, startedAt: number): Promise<Recording> {
  return write(db, async (tx) => {
    const runningId = await currentId(tx);
    const running = runningId === null ? undefined : await tx.objectStore("recordings").get(runningId);
    if (running !== undefined) return running;
    const recording: Recording = {
      id,
      owner,
      startedAt,
      endedAt: null,
      lastSeq: 0,
      ackedSeq: 0,
      start: "untold",
      isStopKnown: false,
      isDiscarded: false,
      isInterrupted: false,
      highlights: 0,
      capture: NOTHING_KNOWN,
    };
    await tx.objectStore("recordings").put(recording);
    await setValue(tx, "current", id);
    return recording;
  });
}

export async function current(db: Database): Promise<Recording | null> {
  const id = await currentId(db);
  return id === null ? null : ((await db.get("recordings", id)) ?? null);
}

export interface Recorded {
  readonly events: number;
  readonly lastSeq: number;
}

export interface RecordOptions {
  /** Leave out the pages' texts because the disk is full. */
  readonly omitsText?: boolean;
  /** Its key in the write-ahead log, stored with it: the last one stored may still be in the log when a worker is stopped. */
  readonly key?: string | undefined;
}

/** Store the events that follow from an observation. Null if nothing is being recorded. */
export function record(
  db: Database,
  observation: Observation,
  rules: Rules,
  { omitsText = false, key }: RecordOptions = {},
): Promise<Recorded | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    const recording = id === null ? undefined : await tx.objectStore("recordings").get(id);
    if (recording === undefined || recording.isInterrupted) return null;
    const { state, events } = reduce(recording.capture, observation, rules);
    if (state === recording.capture && events.length === 0) return { events: 0, lastSeq: recording.lastSeq };
    const kept = omitsText ? events.filter((event) => event.type !== "CONTENT_EXTRACTED") : events;
    const lastSeq = await append(tx, recording.id, recording.lastSeq, kept);
    const highlights = recording.highlights + kept.filter((event) => event.type === "HIGHLIGHT").length;
    const taken = key !== undefined ? { taken: key } : {};
    await tx.objectStore("recordings").put({ ...recording, ...taken, capture: state, lastSeq, highlights });
    return { events: kept.length, lastSeq };
  });
}

async function append(
  tx: WriteTx,
  id: string,
  lastSeq: number,
  events: readonly NewEvent[],
): Promise<number> {
  let seq = lastSeq;
  for (const each of events) {
    seq += 1;
    const event = { seq, ...each };
    const stored: StoredEvent = { recording: id, seq, size: sizeOf(event), event };
    await tx.objectStore("events").add(stored);
    if (typeof each.url === "string") await tx.objectStore("pages").put(true, [id, each.url]);
  }
  return seq;
}

export function sizeOf(event: object): number {
  return new TextEncoder().encode(JSON.stringify(event)).length;
}

/** End the current recording; its events are sent before its end. */
export function end(db: Database, endedAt: number): Promise<Recording | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    if (id === null) return null;
    await setValue(tx, "current", null);
    // An interrupted recording ended with its last event.
    return change(tx, id, ({ isInterrupted, startedAt, capture }) => ({
      endedAt: Math.max(startedAt, isInterrupted ? (capture.lastAt ?? startedAt) : endedAt),
    }));
  });
}

/** End the current recording and delete its events. */
export function discard(db: Database, endedAt: number): Promise<Recording | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    if (id === null) return null;
    await setValue(tx, "current", null);
    await tx.objectStore("events").delete(allOf(id));
    return change(tx, id, () => ({ endedAt, isDiscarded: true }));
  });
}

/** The browser was closed for long: nothing is recorded until the user decides. */
export function interrupt(db: Database): Promise<Recording | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    return id === null ? null : change(tx, id, () => ({ isInterrupted: true }));
  });
}

/** Delete a recording with everything that belongs to it. */
export async function drop(
  tx: WriteTx,
  { id, owner }: Recording,
  at: number,
  is: Outcome["is"],
): Promise<void> {
  await tx.objectStore("events").delete(allOf(id));
  await tx.objectStore("pages").delete(allOf(id));
  await tx.objectStore("recordings").delete(id);
  if ((await currentId(tx)) === id) await setValue(tx, "current", null);
  await setValue(tx, "outcome", { id, owner, at, is });
}

/** Delete everything in this browser. What the server has stays there. */
export function dropAll(db: Database): Promise<void> {
  return write(db, async (tx) => {
    for (const name of STORES) await tx.objectStore(name).clear();
  });
}

export async function countsOf(db: Database, { id, highlights }: Recording): Promise<Counts> {
  return { pages: await db.count("pages", allOf(id)), highlights };
}
