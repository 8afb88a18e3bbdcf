/** Batches of events: how many are sent at once, and which are deleted when the server has them. */
import { change, type Database, eventsBetween, type StoredEvent, write } from "./database";
import { sizeOf } from "./recordings";
import type { Receipt } from "./server";

/** Well below the server's `MAX_BODY_BYTES`. */
export const MOST_BYTES = 6_000_000;

/** The next events after a number, as many as fit into one batch. */
export async function nextBatch(
  db: Database,
  id: string,
  after: number,
  most: number,
): Promise<StoredEvent[]> {
  const found = await db.getAll("events", eventsBetween(id, after + 1, Number.MAX_SAFE_INTEGER), most);
  let bytes = 0;
  const end = found.findIndex(({ size }, index) => {
    bytes += size + 1;
    return index > 0 && bytes > MOST_BYTES;
  });
  return end === -1 ? found : found.slice(0, end);
}

/** Delete what the server has: everything up to `ackedSeq`, except what it says is missing. */
export function deleteAcked(db: Database, id: string, receipt: Receipt): Promise<unknown> {
  const { ackedSeq, missing, pageCount } = receipt;
  return write(db, async (tx) => {
    const events = tx.objectStore("events");
    for (const [first, last] of ackedRanges(ackedSeq, missing))
      await events.delete(eventsBetween(id, first, last));
    return change(tx, id, (recording) => ({
      ackedSeq: Math.max(recording.ackedSeq, ackedSeq),
      // If the disk has lost events that were already sent, their numbers are taken.
      lastSeq: Math.max(recording.lastSeq, ackedSeq),
      ...(typeof pageCount === "number" && { pagesOnServer: pageCount }),
    }));
  });
}

/** The ranges up to `ackedSeq` that are not missing. */
export function ackedRanges(
  ackedSeq: number,
  missing: readonly (readonly [number, number])[],
): [number, number][] {
  const ranges: [number, number][] = [];
  let next = 1;
  for (const [first, last] of [...missing].sort((a, b) => a[0] - b[0])) {
    const end = Math.min(first - 1, ackedSeq);
    if (end >= next) ranges.push([next, end]);
    next = Math.max(next, last + 1);
  }
  if (ackedSeq >= next) ranges.push([next, ackedSeq]);
  return ranges;
}

/** Replace an event that the server will never accept by an empty one, so that no number is skipped. */
export function replaceRefused(db: Database, { recording, seq, event }: StoredEvent): Promise<unknown> {
  return write(db, async (tx) => {
    const events = tx.objectStore("events");
    if (event.type === "ALIVE") return events.delete(eventsBetween(recording, seq, seq));
    const replacement = { seq, t: event.t, type: "ALIVE" as const };
    return events.put({ recording, seq, size: sizeOf(replacement), event: replacement });
  });
}
