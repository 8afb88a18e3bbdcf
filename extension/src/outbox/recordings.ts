/**
 * Recordings are begun, fed and ended here, whether or not the server can be reached. What happens is reduced to events,
 * numbered and stored by one transaction: a worker that dies leaves all of it or nothing.
 */
import { type Captured, type Happening, NOTHING_KNOWN, type Rules } from "../capture/model";
import { reduce } from "../capture/reduce";
import {
  allOf,
  change,
  currentId,
  type Database,
  type Held,
  type Outcome,
  type Recording,
  setValue,
  write,
  type Writing,
} from "./database";

export interface Counts {
  readonly pages: number;
  readonly highlights: number;
}

export function begin(db: Database, id: string, owner: string, startedAt: number): Promise<Recording> {
  return write(db, async (tx) => {
    const running = await currentId(tx);
    const known = running === null ? undefined : await tx.objectStore("recordings").get(running);
    if (known !== undefined) return known;
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

export interface Taken {
  readonly events: number;
  readonly lastSeq: number;
}

export interface Taking {
  /** Leave the pages' texts out, for want of room. */
  readonly isLean?: boolean;
  /** Its name in the journal. Stored with it: the last one taken may still stand there when a life ends. */
  readonly key?: string | undefined;
}

/** Store what a happening means for the current recording. */
export function take(
  db: Database,
  happening: Happening,
  rules: Rules,
  { isLean = false, key }: Taking = {},
): Promise<Taken | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    const recording = id === null ? undefined : await tx.objectStore("recordings").get(id);
    if (recording === undefined || recording.isInterrupted) return null;
    const nothing = { events: 0, lastSeq: recording.lastSeq };
    const { state, events } = reduce(recording.capture, happening, rules);
    if (state === recording.capture && events.length === 0) return nothing;
    const kept = isLean ? events.filter((event) => event.type !== "CONTENT_EXTRACTED") : events;
    const lastSeq = await append(tx, recording.id, recording.lastSeq, kept);
    const marks = kept.filter((event) => event.type === "HIGHLIGHT").length;
    const highlights = recording.highlights + marks;
    const taken = key !== undefined ? { taken: key } : {};
    await tx.objectStore("recordings").put({ ...recording, ...taken, capture: state, lastSeq, highlights });
    return { events: kept.length, lastSeq };
  });
}

async function append(
  tx: Writing,
  id: string,
  lastSeq: number,
  events: readonly Captured[],
): Promise<number> {
  let seq = lastSeq;
  for (const captured of events) {
    seq += 1;
    const event = { seq, ...captured };
    const held: Held = { recording: id, seq, size: sizeOf(event), event };
    await tx.objectStore("events").add(held);
    if (typeof captured.url === "string") await tx.objectStore("pages").put(true, [id, captured.url]);
  }
  return seq;
}

export function sizeOf(event: object): number {
  return new TextEncoder().encode(JSON.stringify(event)).length;
}

/** End the current recording; what it holds is sent before its end is. */
export function end(db: Database, endedAt: number): Promise<Recording | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    if (id === null) return null;
    await setValue(tx, "current", null);
    // What was interrupted ended with its last event: the time since then is nobody's.
    return change(tx, id, ({ isInterrupted, startedAt, capture }) => ({
      endedAt: Math.max(startedAt, isInterrupted ? (capture.lastAt ?? startedAt) : endedAt),
    }));
  });
}

/** End the current recording and throw away what is held of it. */
export function discard(db: Database, endedAt: number): Promise<Recording | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    if (id === null) return null;
    await setValue(tx, "current", null);
    await tx.objectStore("events").delete(allOf(id));
    return change(tx, id, () => ({ endedAt, isDiscarded: true }));
  });
}

/** The browser was away for long: nothing is recorded until the reader has said what to do. */
export function interrupt(db: Database): Promise<Recording | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    return id === null ? null : change(tx, id, () => ({ isInterrupted: true }));
  });
}

/** Forget a recording with all that is held of it. */
export async function drop(
  tx: Writing,
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

/** Delete everything that is held here. What the server has stays there. */
export function dropAll(db: Database): Promise<void> {
  return write(db, async (tx) => {
    for (const name of ["recordings", "events", "pages", "values"] as const)
      await tx.objectStore(name).clear();
  });
}

export async function countsOf(db: Database, { id, highlights }: Recording): Promise<Counts> {
  return { pages: await db.count("pages", allOf(id)), highlights };
}
