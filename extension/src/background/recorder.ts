/**
 * The recorder: everything that happens is told to it, and it stores it in the order it was told.
 *
 * The worker may die at any moment, and nothing is to be lost with it. What the browser says is written into a journal in
 * the turn in which it is heard; what a page says it says until it is stored. A new life waits a moment for both, puts them
 * into order and stores them. What nobody has said is found by a look at the browser a little later.
 */
import type { Happening, Presence, Rules } from "../capture/model";
import { inOrder, type Told } from "../capture/order";
import { isWord } from "../capture/words";
import { Authority, ownerOf } from "../outbox/account";
import { type Database, getValue, openDatabase, type Recording } from "../outbox/database";
import { HttpServer, renew } from "../outbox/http";
import { begin, current, discard, dropAll, end, interrupt, take } from "../outbox/recordings";
import { Sender } from "../outbox/sender";
import { isFull } from "../outbox/space";
import * as keys from "../storage/keys";
import { Journal } from "./journal";
import { askPages } from "./listeners";
import { look } from "./look";
import { Pace } from "./pace";
import { type Standing, standingOf } from "./standing";

const MEND_AFTER_MS = 1_000;
/** So long a new life listens before it stores: pages on a busy machine take a while to say what they have to. */
const LISTEN_MS = 300;
/** And no longer than this for a page that does not answer, as those do not that show a dialog. */
const LISTEN_MOST_MS = 3_000;
/** Longer than pages wait between two tries. */
const RECENTLY_MS = 120_000;
/** A browser that comes back sooner goes on recording; later its reader is asked. */
export const ABSENCE_MS = 30 * 60_000;

export class Recorder {
  readonly server = new HttpServer(new Authority(keys.account, renew, Date.now));
  /** Called after whatever changes what the reader sees. */
  onChange: () => void = () => undefined;

  private db!: Database;
  private sender!: Sender;
  private rules: Rules = { excluded: [], only: null };
  private isBooted = false;
  private isRecording = false;
  private isDiskFull = false;
  private told = 0;
  private thresholdMs = 60_000;
  private readonly journal = new Journal();
  private readonly pace = new Pace(
    () => this.flush(),
    async () => (await this.db.count("events")) > 0,
  );
  /** What was told to a life that listens; null when it is through with that. */
  private early: (Told & PromiseWithResolvers<true>)[] | null = [];
  private readonly opened = Promise.withResolvers<true>();
  private line: Promise<unknown>;

  constructor() {
    this.line = this.boot().catch(report);
  }

  /** The browser says that something happened. Returns when it is stored. */
  tell(happening: Happening): Promise<unknown> {
    // A title, or a load's end, is a net below other events.
    return this.accept(happening, happening.kind !== "settled");
  }

  /** The threshold is known when the settings are read; before that, the usual one. */
  tellIdle(t: number, state: Presence): Promise<unknown> {
    return this.tell({ kind: "idle", t, state, thresholdMs: this.thresholdMs });
  }

  /** A page says something, and goes on saying it until this returns, when it is stored; unless it goes away before. */
  hear(happening: Happening): Promise<unknown> {
    return this.accept(happening, true);
  }

  private accept(happening: Happening, isNoted: boolean): Promise<unknown> {
    this.told += 1;
    const isWanted = this.isRecording || !this.isBooted;
    const key = isNoted && isWanted ? this.journal.note(happening) : undefined;
    const { early } = this;
    if (early === null) return this.next(() => this.store(happening, key));
    const stored = Promise.withResolvers<true>();
    early.push({ happening, key, ...stored });
    // Where the start has failed, this is the next try.
    return this.next(() => stored.promise);
  }

  get isOn(): boolean {
    return this.isRecording;
  }

  /** Whether it is known what it is to do. */
  get isReady(): boolean {
    return this.isBooted;
  }

  /** Do something when all that was told before is stored. */
  private next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.line.then(() => this.ensure()).then(work);
    this.line = done.catch(report);
    return done;
  }

  private async ensure(): Promise<void> {
    if (!this.isBooted) await this.boot();
  }

  private async boot(): Promise<void> {
    // At once: until all of it is here, nothing can be stored.
    const [db, isSameRun] = await Promise.all([openDatabase(), keys.isSameRun.get(), this.readRules()]);
    this.db = db;
    this.sender = new Sender({
      db: this.db,
      server: this.server,
      owner: async () => {
        const account = await keys.account.get();
        return account === null || account.isSignedOut ? null : ownerOf(account);
      },
      now: Date.now,
      random: Math.random,
    });
    const recording = await current(db);
    this.isRecording = recording !== null && !recording.isInterrupted;
    if (recording !== null && this.isRecording && !isSameRun) await this.resume(recording);
    if (!isSameRun) await keys.isSameRun.set(true);
    this.opened.resolve(true);
    if (this.isRecording && isSameRun) await this.listen();
    await this.storeEarly();
    if (this.isRecording) setTimeout(() => void this.mend(), MEND_AFTER_MS);
    this.isBooted = true;
    this.pace.arm();
    this.onChange();
  }

  /** Ask the pages for what no life has heard yet, and give them time. */
  private async listen(): Promise<void> {
    const [least, most] = [pause(LISTEN_MS), pause(LISTEN_MOST_MS)];
    const asked = askPages(RECENTLY_MS, (said) => {
      for (const happening of said) void this.hear(happening);
    });
    await Promise.all([least, Promise.race([asked, most])]);
  }

  /** Store what earlier lives have left and what this one was told, in the order in which it came about. */
  private async storeEarly(): Promise<void> {
    const left = await this.journal.left();
    const taken = (await current(this.db))?.taken;
    const isTaken = ({ key }: Told) => key !== undefined && key === taken;
    // First of all: when another is taken, this one is not known any more.
    await this.journal.strike(...left.filter(isTaken));
    const told = this.early ?? [];
    this.early = null;
    try {
      for (const each of inOrder([...left, ...told])) {
        // It has its place in the order, and is stored.
        if (!isTaken(each)) await this.store(each.happening, each.key);
      }
      await this.journal.strike(...left, ...told);
      for (const { resolve } of told) resolve(true);
    } catch (error) {
      for (const { reject } of told) reject(error);
      this.early = [];
      throw error;
    }
  }

  /** The browser was started anew in the middle of a recording. */
  private async resume({ capture, startedAt }: Recording): Promise<void> {
    const lastAt = capture.lastAt ?? startedAt;
    const isLong = Math.abs(Date.now() - lastAt) > ABSENCE_MS;
    await this.storeWordsOf(lastAt);
    if (!isLong) return this.store(await look(true, this.thresholdMs));
    await interrupt(this.db);
    this.isRecording = false;
  }

  /**
   * Store what pages of the run before have left: it belongs to the recording as it was then, to its tabs and its end.
   * Pages of this run may have spoken already; what they said is closer to now than to the last event before.
   */
  private async storeWordsOf(lastAt: number): Promise<void> {
    const now = Date.now();
    const isOld = ({ t }: Happening) => Math.abs(t - lastAt) < Math.abs(now - t);
    const words = (await this.journal.left()).filter(
      ({ happening }) => isWord(happening) && isOld(happening),
    );
    for (const { happening, key } of inOrder(words)) await this.store(happening, key);
  }

  private async store(happening: Happening, key?: string): Promise<void> {
    if (this.isRecording) await this.takeIn(happening, key);
    // Waited for: the next one may be taken before the browser hears of this, and a life that ends between the two would
    // leave to the next what it has stored. So of what was taken one at most stands in the journal, the last.
    await this.journal.strike({ happening, key });
  }

  private async takeIn(told: Happening, key?: string): Promise<void> {
    const happening = told.kind === "idle" ? { ...told, thresholdMs: this.thresholdMs } : told;
    const taken = await this.takeInto(happening, key);
    if (taken === null) {
      this.isRecording = false; // its server has refused it
      this.onChange();
      return;
    }
    if (taken.events === 0) return;
    this.pace.stored(taken.events);
    if (happening.kind === "highlight") this.onChange();
  }

  private async takeInto(happening: Happening, key: string | undefined) {
    try {
      return await take(this.db, happening, this.rules, { isLean: this.isDiskFull, key });
    } catch (error) {
      if (!isFull(error)) throw error;
      this.isDiskFull = true;
      return take(this.db, happening, this.rules, { isLean: true, key });
    }
  }

  /** Tell what was missed, if anything was. Only where nothing happens meanwhile: else what was seen is old. */
  async mend(): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt++) {
      await this.line;
      const before = this.told;
      const seen = await look(false, this.thresholdMs);
      const isFresh = await this.next(async () => {
        if (this.told !== before) return false;
        await this.store(seen);
        return true;
      });
      if (isFresh) return;
    }
  }

  async readRules(): Promise<void> {
    const [{ excluded, only, idleAfterS }, alsoExcluded] = await Promise.all([
      keys.settings.get(),
      keys.accountExcluded.get(),
    ]);
    this.thresholdMs = idleAfterS * 1000;
    this.rules = { excluded: [...excluded, ...alsoExcluded], only };
  }

  get excluded(): readonly string[] {
    return this.rules.excluded;
  }

  start(owner: string): Promise<void> {
    return this.next(async () => {
      const t = Date.now();
      await begin(this.db, crypto.randomUUID(), owner, t);
      this.isRecording = true;
      await this.store(await look(false, this.thresholdMs));
      this.onChange();
      void this.flush(true);
    });
  }

  stop(): Promise<void> {
    const t = Date.now();
    return this.next(() => this.close(() => end(this.db, t)));
  }

  discard(): Promise<void> {
    const t = Date.now();
    return this.next(() => this.close(() => discard(this.db, t)));
  }

  private async close(how: () => Promise<unknown>): Promise<void> {
    await how();
    this.isRecording = false;
    this.onChange();
    void this.flush(true);
  }

  deleteLocal(): Promise<void> {
    return this.next(async () => {
      await dropAll(this.db);
      this.isRecording = false;
      this.onChange();
    });
  }

  /** The net below the timer: the alarm has woken the worker, or it is awake. */
  async tick(): Promise<void> {
    await this.tell({ kind: "tick", t: Date.now() });
    if (this.isRecording) await this.mend();
    await this.flush();
  }

  async flush(isUrgent = false): Promise<void> {
    await this.line;
    this.pace.sending();
    const wasRecording = this.isRecording;
    await this.sender.flush(isUrgent);
    if (wasRecording && (await current(this.db)) === null) this.isRecording = false;
    this.onChange();
  }

  async isNeeded(): Promise<boolean> {
    await this.line;
    return (await this.db.count("recordings")) > 0;
  }

  /** Until all that was told is stored; a life that still listens is not waited for. */
  private async settled(): Promise<void> {
    await (this.early === null ? this.line : Promise.race([this.opened.promise, this.line]));
  }

  async standing(): Promise<Standing> {
    await this.settled();
    const account = await keys.account.get();
    return standingOf(this.db, account && ownerOf(account), this.isDiskFull);
  }

  async outcome() {
    await this.settled();
    return (await getValue(this.db, "outcome")) ?? null;
  }
}

function pause(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function report(error: unknown): void {
  console.error("MindHit:", error);
}
