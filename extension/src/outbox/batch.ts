/** Events taken out for sending, and put away when the server has them. */
import { between, change, type Database, type Held, write } from "./database";
import type { Receipt } from "./server";
import { sizeOf } from "./recordings";

export const MOST_EVENTS = 200;
/** The server takes 8 MiB. */
export const MOST_BYTES = 6_000_000;

/** The next events after a number, as many as fit into one batch. */
export async function nextBatch(db: Database, id: string, after: number, most: number): Promise<Held[]> {
  const found = await db.getAll("events", between(id, after + 1, Number.MAX_SAFE_INTEGER), most);
  let bytes = 0;
  const end = found.findIndex(({ size }, index) => {
    bytes += size + 1;
    return index > 0 && bytes > MOST_BYTES;
  });
  return end === -1 ? found : found.slice(0, end);
}

/** Delete what the server has: all up to `ackedSeq` but what it says is missing. */
export function settle(db: Database, id: string, { ackedSeq, missing }: Receipt): Promise<unknown> {
  return write(db, async (tx) => {
    const events = tx.objectStore("events");
    for (const [first, last] of stored(ackedSeq, missing)) await events.delete(between(id, first, last));
    return change(tx, id, (recording) => ({
      ackedSeq: Math.max(recording.ackedSeq, ackedSeq),
      // Where the disk has lost what was already sent, its numbers are taken.
      lastSeq: Math.max(recording.lastSeq, ackedSeq),
    }));
  });
}

/** The ranges up to `ackedSeq` that are not missing. */
export function stored(
  ackedSeq: number,
  missing: readonly (readonly [number, number])[],
): [number, number][] {
  const ranges: [number, number][] = [];
  let next = 1;
  for (const [first, last] of [...missing].sort((one, other) => one[0] - other[0])) {
    const end = Math.min(first - 1, ackedSeq);
    if (end >= next) ranges.push([next, end]);
    next = Math.max(next, last + 1);
  }
  if (ackedSeq >= next) ranges.push([next, ackedSeq]);
  return ranges;
}

/** An event that the server will never read makes room for one that says nothing, so that no number is left out. */
export function giveUp(db: Database, { recording, seq, event }: Held): Promise<unknown> {
  return write(db, async (tx) => {
    const events = tx.objectStore("events");
    if (event.type === "ALIVE") return events.delete(between(recording, seq, seq));
    const instead = { seq, t: event.t, type: "ALIVE" as const };
    return events.put({ recording, seq, size: sizeOf(instead), event: instead });
  });
}
