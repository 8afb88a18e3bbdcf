/** How things stand with the recording, as its reader is shown it. */
import { allOf, type Database, getValue, type Recording } from "../outbox/database";
import { countsOf, current } from "../outbox/recordings";
import { NO_FAILURE } from "../outbox/retry";
import { isTight, measure } from "../outbox/space";

export interface Standing {
  readonly recording: Recording | null;
  readonly pages: number;
  readonly highlights: number;
  readonly isStopping: boolean;
  readonly held: number;
  readonly foreign: number;
  readonly isOffline: boolean;
  readonly isTight: boolean;
  readonly usage: number;
}

/** `owner`: whose recordings are sent. Those of others wait until their account is connected again. */
export async function standingOf(db: Database, owner: string | null, isDiskFull: boolean): Promise<Standing> {
  const recording = await current(db);
  const counts = recording === null ? { pages: 0, highlights: 0 } : await countsOf(db, recording);
  const all = await db.getAll("recordings");
  const foreign = all.filter((each) => each.owner !== owner);
  const space = await measure();
  return {
    recording,
    ...counts,
    isStopping: all.some((each) => each.owner === owner && each.endedAt !== null),
    held: await db.count("events"),
    foreign: await eventsOf(db, foreign),
    isOffline: ((await getValue(db, "retry")) ?? NO_FAILURE).failures > 0,
    isTight: isDiskFull || isTight(space),
    usage: space.usage,
  };
}

async function eventsOf(db: Database, recordings: readonly Recording[]): Promise<number> {
  const counts = await Promise.all(recordings.map(({ id }) => db.count("events", allOf(id))));
  return counts.reduce((sum, count) => sum + count, 0);
}
