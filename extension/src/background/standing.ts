/** How things stand with the recording, as its reader is shown it. */
import { type Database, getValue, type Recording } from "../outbox/database";
import { countsOf, current } from "../outbox/recordings";
import { NO_FAILURE } from "../outbox/retry";
import { isTight, measure } from "../outbox/space";

export interface Standing {
  readonly recording: Recording | null;
  readonly pages: number;
  readonly highlights: number;
  readonly isStopping: boolean;
  readonly held: number;
  readonly isOffline: boolean;
  readonly isTight: boolean;
  readonly usage: number;
}

export async function standingOf(db: Database, isDiskFull: boolean): Promise<Standing> {
  const recording = await current(db);
  const counts = recording === null ? { pages: 0, highlights: 0 } : await countsOf(db, recording);
  const space = await measure();
  return {
    recording,
    ...counts,
    isStopping: (await db.getAll("recordings")).some((each) => each.endedAt !== null),
    held: await db.count("events"),
    isOffline: ((await getValue(db, "retry")) ?? NO_FAILURE).failures > 0,
    isTight: isDiskFull || isTight(space),
    usage: space.usage,
  };
}
