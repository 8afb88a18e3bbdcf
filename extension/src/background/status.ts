/** The status that the popup, the options and the badge show. */
import { isPaused } from "../automatic/pauses";
import type { Status } from "../messages";
import { ownerOf, sessionLink } from "../outbox/account";
import { allOf, type Database, getValue, type Recording } from "../outbox/database";
import { isNearlyFull, measureStorage } from "../outbox/quota";
import { countsOf, current, nameOf } from "../outbox/recordings";
import { NO_FAILURE } from "../outbox/retry";
import { isPermitted } from "../permissions";
import * as keys from "../storage/keys";

export type RecordingStatus = Pick<
  Status,
  "recording" | "isOffline" | "refusal" | "isAutomatic" | "isHeld" | "pause"
>;

export async function recordingStatus(db: Database): Promise<RecordingStatus> {
  const [recording, retry, { isAutomatic }, pause, held] = await Promise.all([
    current(db),
    getValue(db, "retry"),
    keys.settings.get(),
    keys.pause.get(),
    keys.held.get(),
  ]);
  return {
    recording: recording && (await describe(db, recording)),
    isOffline: (retry ?? NO_FAILURE).failures > 0,
    refusal: retry?.refusal ?? null,
    isAutomatic,
    isHeld: isAutomatic && held !== null,
    pause: isPaused(pause, Date.now()) ? pause : null,
  };
}

async function describe(db: Database, recording: Recording): Promise<NonNullable<Status["recording"]>> {
  const { id, owner, startedAt, capture, isInterrupted, startedBy } = recording;
  return {
    link: sessionLink(owner, id),
    startedAt,
    lastAt: capture.lastAt ?? startedAt,
    isInterrupted,
    isByItself: startedBy === "itself",
    name: await nameOf(db, recording, Date.now()),
    ...(await countsOf(db, recording)),
  };
}

/** Only the connected account's recordings are sent. Others wait until their account is connected again. */
export async function statusOf(db: Database, isDiskFull: boolean): Promise<Status> {
  const [account, connecting, { only }] = await Promise.all([
    keys.account.get(),
    keys.connecting.get(),
    keys.settings.get(),
  ]);
  const owner = account && ownerOf(account);
  const all = await db.getAll("recordings");
  const storage = await measureStorage();
  return {
    ...(await recordingStatus(db)),
    account: account && { server: account.server, email: account.email, isSignedOut: account.isSignedOut },
    connecting: connecting && { userCode: connecting.userCode, url: connecting.url },
    isPermitted: await isPermitted(only),
    isStopping: all.some((each) => each.owner === owner && each.endedAt !== null),
    unsent: await db.count("events"),
    unsentPages: await db.count("saves"),
    unsentElsewhere: await countEvents(
      db,
      all.filter((each) => each.owner !== owner),
    ),
    isStorageLow: isDiskFull || isNearlyFull(storage),
    storageUsed: storage.usage,
    outcome: (await getValue(db, "outcome")) ?? null,
  };
}

async function countEvents(db: Database, recordings: readonly Recording[]): Promise<number> {
  const counts = await Promise.all(recordings.map(({ id }) => db.count("events", allOf(id))));
  return counts.reduce((sum, count) => sum + count, 0);
}
