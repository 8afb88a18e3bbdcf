/**
 * Sends recordings, oldest first: the start, the events, the end. Every step can be repeated, so a worker may be stopped
 * between any two of them; what is done is in the database, and what is uncertain is done again.
 *
 *     untold ── start ──▶ known ── events … ──▶ (ended) ── stop ──▶ dropped as saved
 *       ▲                   │
 *       └── not-found ◀─────┘            closed, at any step: dropped as refused; over the plan's limit: as limit
 */
import { BATCH_LIMIT } from "@mindhit/client";
import { deleteAcked, nextBatch, replaceRefused } from "./batch";
import {
  allOf,
  change,
  type Database,
  getValue,
  type Outcome,
  type Recording,
  type SessionName,
  setValue,
  write,
} from "./database";
import { drop, nameOf } from "./recordings";
import { afterFailure, isDue, NO_FAILURE } from "./retry";
import { sendSaves } from "./saves";
import type { Answer, Failure, Server } from "./server";

/** How often a session that the server doesn't have is started again in one run. */
const START_ATTEMPTS = 3;

export interface SenderOptions {
  readonly db: Database;
  readonly server: Server;
  /** Whose recordings are sent; null if no account is connected. */
  readonly owner: () => Promise<string | null>;
  readonly now: () => number;
  readonly random: () => number;
}

/** `sent`: nothing is left that could be sent now. */
export type Result = "sent" | "waiting" | "signed-out";

export class Sender {
  private running: Promise<Result> | null = null;
  private isRequestedAgain = false;
  private readonly options: SenderOptions;

  constructor(options: SenderOptions) {
    this.options = options;
  }

  /** Send everything, unless the last failure says to wait; `isUrgent` doesn't wait. One run at a time. */
  flush(isUrgent = false): Promise<Result> {
    if (this.running !== null) {
      this.isRequestedAgain = true;
      return this.running;
    }
    this.running = this.run(isUrgent).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async run(isUrgent: boolean): Promise<Result> {
    const { db, now } = this.options;
    const retry = (await getValue(db, "retry")) ?? NO_FAILURE;
    if (!isUrgent && !isDue(retry, now())) return "waiting";
    let result: Result;
    do {
      this.isRequestedAgain = false;
      result = await this.sendAll();
    } while (result === "sent" && this.isRepeated());
    return result;
  }

  /** Whether another flush was requested meanwhile. */
  private isRepeated(): boolean {
    return this.isRequestedAgain;
  }

  private async sendAll(): Promise<Result> {
    const { db } = this.options;
    const owner = await this.options.owner();
    if (owner === null) return "signed-out";
    const recordings = (await db.getAll("recordings")).filter((each) => each.owner === owner);
    recordings.sort((a, b) => a.startedAt - b.startedAt);
    for (const { id } of recordings) {
      const failure = await this.sendOne(id);
      if (failure === null) continue;
      if (failure.kind === "signed-out") return "signed-out";
      await this.noteFailure(failure);
      if (failure.kind === "unreachable") return "waiting";
    }
    // Last, and without slowing down the rest: a server that doesn't know the library still takes recordings.
    const failure = await sendSaves(db, this.options.server, owner);
    if (failure === null) return "sent";
    return failure.kind === "signed-out" ? "signed-out" : "waiting";
  }

  private async noteFailure(failure: Failure): Promise<void> {
    const { db, now, random } = this.options;
    await write(db, async (tx) => {
      const before = (await getValue(tx, "retry")) ?? NO_FAILURE;
      const told = failure.kind === "unreachable" ? failure : {};
      await setValue(tx, "retry", afterFailure(before, now(), random(), told));
    });
  }

  private async clearFailures(): Promise<void> {
    const { db } = this.options;
    if (((await getValue(db, "retry")) ?? NO_FAILURE).failures === 0) return;
    await write(db, (tx) => setValue(tx, "retry", NO_FAILURE));
  }

  /** Null if everything possible was sent, else what failed. */
  private async sendOne(id: string): Promise<Failure | null> {
    for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
      const recording = await this.options.db.get("recordings", id);
      if (recording === undefined) return null;
      const failure = recording.isDiscarded
        ? await this.deleteDiscarded(recording)
        : await this.advance(recording);
      if (failure?.kind === "closed") return this.drop(recording, "refused");
      if (failure?.kind === "limit") return this.drop(recording, "limit", { running: failure.running });
      if (failure?.kind !== "not-found") return failure;
      await this.update(id, { start: "untold", isStopKnown: false });
    }
    return { kind: "unreachable" }; // started, and not found again each time
  }

  private async advance(recording: Recording): Promise<Failure | null> {
    const { server } = this.options;
    const { id } = recording;
    if (recording.start !== "known") {
      await this.update(id, { start: "told" });
      const started = await server.start(id, recording.startedAt);
      if (started.kind !== "ok") return started.kind === "not-found" ? { kind: "unreachable" } : started;
      await this.update(id, { start: "known" });
      await this.clearFailures();
    }
    return (await this.sendEvents(id)) ?? (await this.finish(id));
  }

  private async sendEvents(id: string): Promise<Failure | null> {
    const { db, server } = this.options;
    let after = 0;
    let most = BATCH_LIMIT;
    for (;;) {
      const batch = await nextBatch(db, id, after, most);
      const [first] = batch;
      if (first === undefined) return null;
      const answer = await server.send(
        id,
        batch.map(({ event }) => event),
      );
      if (answer.kind === "ok") {
        await deleteAcked(db, id, answer.value);
        await this.clearFailures();
        after = batch.at(-1)?.seq ?? after;
        most = Math.min(BATCH_LIMIT, most * 2);
      } else if (answer.kind !== "invalid" && answer.kind !== "too-large") {
        return answer;
      } else if (batch.length > 1) {
        most = Math.ceil(batch.length / 2);
      } else {
        await replaceRefused(db, first);
      }
    }
  }

  /** Send the end, once all events are sent; drop the recording when the server has everything. */
  private async finish(id: string): Promise<Failure | null> {
    const { db, server } = this.options;
    let recording = await db.get("recordings", id);
    if (recording === undefined || recording.endedAt === null) return null;
    let name: SessionName | undefined;
    if (!recording.isStopKnown) {
      const stopped = await server.stop(id, recording.lastSeq, recording.endedAt);
      if (stopped.kind !== "ok") return stopped;
      recording = (await this.update(id, { isStopKnown: true })) ?? recording;
      name = stopped.value.name;
    }
    if ((await db.count("events", allOf(id))) > 0) return null;
    name ??= (await nameOf(db, recording, recording.endedAt ?? recording.startedAt)) ?? undefined;
    return this.drop(recording, "saved", { name });
  }

  /** Delete a discarded recording from the server as well; if the token may not delete, stop it. */
  private async deleteDiscarded(recording: Recording): Promise<Failure | null> {
    const { id, endedAt, ackedSeq, startedAt } = recording;
    if (recording.start !== "untold") {
      let answer: Answer<unknown> = await this.options.server.remove(id);
      if (answer.kind === "forbidden")
        answer = await this.options.server.stop(id, ackedSeq, endedAt ?? startedAt);
      if (answer.kind !== "ok" && answer.kind !== "not-found" && answer.kind !== "closed") return answer;
    }
    return this.drop(recording, "discarded");
  }

  private async drop(
    recording: Recording,
    is: Outcome["is"],
    more: Pick<Outcome, "name" | "running"> = {},
  ): Promise<null> {
    await write(this.options.db, (tx) => drop(tx, recording, this.options.now(), is, more));
    return null;
  }

  private update(id: string, changes: Partial<Recording>): Promise<Recording | null> {
    return write(this.options.db, (tx) => change(tx, id, () => changes));
  }
}
