/**
 * Recordings are begun, filled and ended here, whether or not the server is reachable. An observation is reduced to events,
 * which are numbered and stored in one transaction: a worker that is stopped leaves all of it or nothing.
 */
import { endOf } from "../automatic/rules";
import type { NewEvent } from "../capture/events";
import { isWithin, type Rules } from "../capture/exclusions";
import type { Observation } from "../capture/observations";
import { reduce } from "../capture/reduce";
import type { Stay } from "../capture/foreground";
import { pageIdentity } from "../capture/page-identity";
import { isReport } from "../capture/report-ids";
import { type CaptureState, NOTHING_KNOWN } from "../capture/state";
import {
  allOf,
  change,
  currentId,
  type Database,
  getValue,
  type Outcome,
  type ReadPage,
  type Recording,
  type SessionName,
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

export function begin(
  db: Database,
  id: string,
  owner: string,
  startedAt: number,
  startedBy: "user" | "itself" = "user",
): Promise<Recording> {
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
      startedBy,
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
/** The recording had begun by itself, and has ended before this observation. */
export interface Ended {
  readonly ended: true;
}

export interface RecordOptions {
  /** Leave out the pages' texts because the disk is full. */
  readonly omitsText?: boolean;
  /** Its key in the write-ahead log, stored with it: the last one stored may still be in the log when a worker is stopped. */
  readonly key?: string | undefined;
  /** The person's time zone, by which a recording that began by itself ends at midnight. */
  readonly timeZone?: string | undefined;
}

/** Store the events that follow from an observation. Null if nothing is being recorded. */
export function record(
  db: Database,
  observation: Observation,
  rules: Rules,
  { omitsText = false, key, timeZone }: RecordOptions = {},
): Promise<Recorded | Ended | null> {
  return write(db, async (tx) => {
    const id = await currentId(tx);
    const recording = id === null ? undefined : await tx.objectStore("recordings").get(id);
    if (recording === undefined || recording.isInterrupted) return null;
    // A page may repeat a report of long ago. Only the browser's own events show what time it is.
    const endedAt = isReport(observation) ? null : ownEnd(recording, observation.t, timeZone);
    if (endedAt !== null) {
      await setValue(tx, "current", null);
      await tx.objectStore("recordings").put({ ...recording, endedAt });
      return { ended: true };
    }
    const endsByItself = recording.startedBy === "itself";
    const { state, events, stays } = reduce(recording.capture, observation, rules, { endsByItself });
    if (state === recording.capture && events.length === 0) return { events: 0, lastSeq: recording.lastSeq };
    const kept = omitsText ? events.filter((event) => event.type !== "CONTENT_EXTRACTED") : events;
    const lastSeq = await append(tx, recording.id, recording.lastSeq, kept);
    await addStays(tx, recording.id, stays);
    const highlights = recording.highlights + kept.filter((event) => event.type === "HIGHLIGHT").length;
    const taken = key !== undefined ? { taken: key } : {};
    await tx.objectStore("recordings").put({ ...recording, ...taken, capture: state, lastSeq, highlights });
    return { events: kept.length, lastSeq };
  });
}

/** When a recording that began by itself has ended, if it has. */
export function ownEnd(recording: Recording, now: number, timeZone: string | undefined): number | null {
  const { startedAt, startedBy, capture } = recording;
  if (startedBy !== "itself") return null;
  const lastAt = capture.lastAt ?? startedAt;
  return endOf({ startedAt, lastAt, activeAt: capture.activeAt ?? lastAt }, now, timeZone);
}

async function addStays(tx: WriteTx, id: string, stays: readonly Stay[]): Promise<void> {
  const pages = tx.objectStore("pages");
  for (const { url, title, ms } of stays) {
    const key: [string, string] = [id, pageIdentity(url)];
    const before = await pages.get(key);
    const known = before === undefined || before === true ? { ms: 0 } : before;
    await pages.put({ ms: known.ms + ms, title: title ?? known.title }, key);
  }
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
  { name, running }: Pick<Outcome, "name" | "running"> = {},
): Promise<void> {
  await tx.objectStore("events").delete(allOf(id));
  await tx.objectStore("pages").delete(allOf(id));
  await tx.objectStore("recordings").delete(id);
  if ((await currentId(tx)) === id) await setValue(tx, "current", null);
  await setValue(tx, "outcome", { id, owner, at, is, ...(name && { name }), ...(running && { running }) });
}

/** Delete everything in this browser. What the server has stays there. */
export function dropAll(db: Database): Promise<void> {
  return write(db, async (tx) => {
    for (const name of STORES) await tx.objectStore(name).clear();
  });
}

/**
 * What this browser remembers of pages that the server has forgotten: their titles and how long they were read. Times are
 * not kept here, so without a domain it is all of them. The server's next answer counts the pages that are left.
 */
export function forgetPages(db: Database, domain: string | null): Promise<void> {
  return write(db, async (tx) => {
    const pages = tx.objectStore("pages");
    for (const key of await pages.getAllKeys())
      if (domain === null || isWithin(new URL(`https://${key[1]}`).hostname, [domain]))
        await pages.delete(key);
    for (const { id } of await tx.objectStore("recordings").getAll())
      await change(tx, id, ({ capture }) => ({ capture: withoutTitle(capture, domain) }));
    const outcome = await getValue(tx, "outcome");
    if (outcome !== undefined) {
      const { id, owner, at, is } = outcome;
      await setValue(tx, "outcome", { id, owner, at, is });
    }
  });
}

/** The page in the foreground counts from now on, if it is one of those. */
function withoutTitle(capture: CaptureState, domain: string | null): CaptureState {
  const { foreground } = capture;
  if (!foreground || (domain !== null && !isWithin(new URL(foreground.url).hostname, [domain])))
    return capture;
  return { ...capture, foreground: { url: foreground.url, since: capture.clock ?? foreground.since } };
}

/** As many pages as the server has counted; by the same rules here, as long as it doesn't know all events. */
export async function countsOf(db: Database, recording: Recording): Promise<Counts> {
  const { id, highlights, pagesOnServer, lastSeq, ackedSeq } = recording;
  if (pagesOnServer !== undefined && ackedSeq >= lastSeq) return { pages: pagesOnServer, highlights };
  const isNew = await hasNewPage(db, recording);
  return { pages: (await db.count("pages", allOf(id))) + (isNew ? 1 : 0), highlights };
}

/** Whether the page in the foreground is not counted yet: its stay has not ended. */
async function hasNewPage(db: Database, { id, capture, endedAt }: Recording): Promise<boolean> {
  const url = capture.foreground?.url;
  if (url === undefined || endedAt !== null) return false;
  return (await db.get("pages", [id, pageIdentity(url)])) === undefined;
}

/** What a recording is called, after the page that was read most; null if none has a title. */
export async function nameOf(
  db: Database,
  { id, capture }: Recording,
  now: number,
): Promise<SessionName | null> {
  const pages = new Map<string, ReadPage>();
  for (const key of await db.getAllKeys("pages", allOf(id))) {
    const page = await db.get("pages", key);
    if (page !== undefined && page !== true) pages.set(key[1], page);
  }
  const { foreground } = capture;
  if (foreground) {
    const identity = pageIdentity(foreground.url);
    const { ms, title } = pages.get(identity) ?? { ms: 0 };
    pages.set(identity, { ms: ms + now - foreground.since, title: foreground.title ?? title });
  }
  const titled = [...pages.values()].filter(({ title }) => title !== undefined && title !== "");
  const most = titled.reduce<ReadPage | null>(
    (best, page) => (page.ms > (best?.ms ?? -1) ? page : best),
    null,
  );
  return most?.title === undefined ? null : { title: most.title, morePages: pages.size - 1 };
}
