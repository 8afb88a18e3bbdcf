/**
 * Sends what is held, oldest recording first: its start, its events, its end. Every step can be repeated, so a worker may
 * die between any two of them; what was done is known from the database, and what is not known is done again.
 *
 *     untold ── start ──▶ known ── events … ──▶ (ended) ── stop ──▶ dropped as saved
 *       ▲                   │
 *       └──── gone ◀────────┘            over, at any step: dropped as refused
 */
import { giveUp, MOST_EVENTS, nextBatch, settle } from "./batch";
import { allOf, change, type Database, getValue, type Recording, setValue, write } from "./database";
import { drop } from "./recordings";
import { afterFailure, isDue, NO_FAILURE } from "./retry";
import type { Answer, Failure, Server } from "./server";

export interface Surroundings {
  readonly db: Database;
  readonly server: Server;
  /** Whose recordings are sent; null: nobody is connected. */
  readonly owner: () => Promise<string | null>;
  readonly now: () => number;
  readonly random: () => number;
}

/** `sent`: nothing is left that could be sent now. */
export type Result = "sent" | "waiting" | "signed-out";

export class Sender {
  private running: Promise<Result> | null = null;
  private isWantedAgain = false;
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Send what is held, unless the last failure asks to wait; `isUrgent` does not wait. One run at a time. */
  flush(isUrgent = false): Promise<Result> {
    if (this.running !== null) {
      this.isWantedAgain = true;
      return this.running;
    }
    this.running = this.run(isUrgent).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async run(isUrgent: boolean): Promise<Result> {
    const { db, now } = this.around;
    const retry = (await getValue(db, "retry")) ?? NO_FAILURE;
    if (!isUrgent && !isDue(retry, now())) return "waiting";
    let result: Result;
    do {
      this.isWantedAgain = false;
      result = await this.sendAll();
    } while (result === "sent" && this.isRepeated());
    return result;
  }

  /** Somebody has asked in the meantime. */
  private isRepeated(): boolean {
    return this.isWantedAgain;
  }

  private async sendAll(): Promise<Result> {
    const { db } = this.around;
    const owner = await this.around.owner();
    if (owner === null) return "signed-out";
    const recordings = (await db.getAll("recordings")).filter((each) => each.owner === owner);
    recordings.sort((one, other) => one.startedAt - other.startedAt);
    for (const { id } of recordings) {
      const failure = await this.sendOne(id);
      if (failure === null) continue;
      if (failure.kind === "signed-out") return "signed-out";
      await this.note(failure);
      if (failure.kind === "away") return "waiting";
    }
    return "sent";
  }

  private async note(failure: Failure): Promise<void> {
    const { db, now, random } = this.around;
    await write(db, async (tx) => {
      const before = (await getValue(tx, "retry")) ?? NO_FAILURE;
      const asked = failure.kind === "away" ? failure.afterMs : undefined;
      await setValue(tx, "retry", afterFailure(before, now(), random(), asked));
    });
  }

  /** Null when it went as far as it can, else why not. */
  private async sendOne(id: string): Promise<Failure | null> {
    for (let round = 0; round < 3; round++) {
      const recording = await this.around.db.get("recordings", id);
      if (recording === undefined) return null;
      const failure = recording.isDiscarded ? await this.takeBack(recording) : await this.advance(recording);
      if (failure?.kind === "over") return this.letGo(recording, "refused");
      if (failure?.kind !== "gone") return failure;
      await this.update(id, { start: "untold", isStopKnown: false });
    }
    return { kind: "away" }; // it is started and gone again and again
  }

  private async advance(recording: Recording): Promise<Failure | null> {
    const { server } = this.around;
    const { id } = recording;
    if (recording.start !== "known") {
      await this.update(id, { start: "told" });
      const started = await server.start(id, recording.startedAt);
      if (started.kind !== "ok") return started.kind === "gone" ? { kind: "away" } : started;
      await this.update(id, { start: "known" });
      await this.succeed();
    }
    return (await this.sendEvents(id)) ?? (await this.finish(id));
  }

  private async sendEvents(id: string): Promise<Failure | null> {
    const { db, server } = this.around;
    let after = 0;
    let most = MOST_EVENTS;
    for (;;) {
      const batch = await nextBatch(db, id, after, most);
      const [first] = batch;
      if (first === undefined) return null;
      const answer = await server.send(
        id,
        batch.map((held) => held.event),
      );
      if (answer.kind === "ok") {
        await settle(db, id, answer.value);
        await this.succeed();
        after = batch.at(-1)?.seq ?? after;
        most = Math.min(MOST_EVENTS, most * 2);
      } else if (answer.kind !== "bad" && answer.kind !== "too-large") {
        return answer;
      } else if (batch.length > 1) {
        most = Math.ceil(batch.length / 2);
      } else {
        await giveUp(db, first);
      }
    }
  }

  /** Tell the end, once all that could be sent is; drop the recording when the server has all of it. */
  private async finish(id: string): Promise<Failure | null> {
    const { db, server } = this.around;
    let recording = await db.get("recordings", id);
    if (recording === undefined || recording.endedAt === null) return null;
    if (!recording.isStopKnown) {
      const stopped = await server.stop(id, recording.lastSeq, recording.endedAt);
      if (stopped.kind !== "ok") return stopped;
      recording = (await this.update(id, { isStopKnown: true })) ?? recording;
    }
    if ((await db.count("events", allOf(id))) > 0) return null;
    return this.letGo(recording, "saved");
  }

  /** Of a recording that was thrown away nothing is to stay on the server; where that may not be asked, it is ended. */
  private async takeBack(recording: Recording): Promise<Failure | null> {
    const { id, endedAt, ackedSeq, startedAt } = recording;
    if (recording.start !== "untold") {
      let answer: Answer<unknown> = await this.around.server.remove(id);
      if (answer.kind === "forbidden")
        answer = await this.around.server.stop(id, ackedSeq, endedAt ?? startedAt);
      if (answer.kind !== "ok" && answer.kind !== "gone" && answer.kind !== "over") return answer;
    }
    return this.letGo(recording, "discarded");
  }

  private async letGo(recording: Recording, is: "saved" | "discarded" | "refused"): Promise<null> {
    await write(this.around.db, (tx) => drop(tx, recording, this.around.now(), is));
    return null;
  }

  private update(id: string, what: Partial<Recording>): Promise<Recording | null> {
    return write(this.around.db, (tx) => change(tx, id, () => what));
  }

  private async succeed(): Promise<void> {
    const { db } = this.around;
    if (((await getValue(db, "retry")) ?? NO_FAILURE).failures === 0) return;
    await write(db, (tx) => setValue(tx, "retry", NO_FAILURE));
  }
}
