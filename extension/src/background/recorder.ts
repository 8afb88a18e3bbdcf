/**
 * The recorder: receives every observation and stores it, in the order in which it happened.
 *
 * The worker may be stopped at any moment without losing anything. Browser events are appended to a write-ahead log
 * synchronously; pages repeat their reports until they are stored. A new worker waits a moment for both, reorders and stores
 * them. Whatever was missed all the same is found a little later by a snapshot of the browser.
 */
import type { Presence } from "@mindhit/client";
import type { Rules } from "../capture/exclusions";
import type { Observation, Snapshot } from "../capture/observations";
import { type Logged, reorder } from "../capture/reorder";
import { DEFAULT_IDLE_S } from "../idle";
import type { Status } from "../messages";
import { type Account, ownerOf, TokenRefresher } from "../outbox/account";
import { type Database, openDatabase, type Recording } from "../outbox/database";
import { HttpServer, refreshTokens } from "../outbox/http";
import { isQuotaError } from "../outbox/quota";
import {
  begin,
  current,
  discard,
  dropAll,
  end,
  interrupt,
  ownEnd,
  record,
  forgetPages,
} from "../outbox/recordings";
import { keepSave } from "../outbox/saves";
import { Sender } from "../outbox/sender";
import * as keys from "../storage/keys";
import { currentRules } from "../storage/rules";
import { Automatic } from "./automatic";
import { logError } from "./log-error";
import { requestReports } from "./page-messages";
import { mayResume, reportsFromBefore } from "./resume";
import { SendSchedule } from "./send-schedule";
import { takeSnapshot } from "./snapshot";
import { recordingStatus, type RecordingStatus, statusOf } from "./status";
import { WriteAheadLog } from "./write-ahead-log";

const CATCH_UP_AFTER_MS = 1_000;
/** A snapshot is out of date if something was observed meanwhile; then another one is taken. */
const CATCH_UP_ATTEMPTS = 3;
/** How long a new worker waits for reports before it stores anything: on a busy machine pages take a while. */
const REPORTS_WAIT_MS = 300;
/** And at most, for pages that don't answer, such as one that shows a dialog. */
const REPORTS_WAIT_MOST_MS = 3_000;
/** Pages that were active within this time are asked. Longer than pages wait between retries. */
const REPORTS_FROM_LAST_MS = 120_000;

type Queued = Logged & PromiseWithResolvers<true>;

export class Recorder {
  readonly server = new HttpServer(new TokenRefresher(keys.account, refreshTokens, Date.now));
  /** Called after anything that changes what the user sees. */
  onChange: () => void = () => undefined;
  /** Called when a recording has begun by itself. */
  onBegun: () => void = () => undefined;

  private db!: Database;
  private sender!: Sender;
  private rules: Rules = { excluded: [], only: null };
  private isBooted = false;
  private isOn = false;
  private isDiskFull = false;
  private observed = 0;
  private thresholdMs = DEFAULT_IDLE_S * 1000;
  private readonly automatic = new Automatic();
  private readonly log = new WriteAheadLog();
  private readonly schedule = new SendSchedule(
    () => this.flush(),
    async () => (await this.db.count("events")) > 0 || (await this.db.count("saves")) > 0,
  );
  /** What was observed while a new worker still waits for reports; null after that. */
  private waiting: Queued[] | null = [];
  private readonly opened = Promise.withResolvers<true>();
  private queue: Promise<unknown>;

  constructor() {
    this.queue = this.boot().catch(logError);
  }

  /** A browser event. Returns when it is stored. */
  observe(observation: Observation): Promise<unknown> {
    // Titles and ends of loads are only fallbacks for other events.
    return this.accept(observation, observation.kind !== "updated");
  }

  /** The threshold is corrected when it is stored: before that, the settings may not be read yet. */
  observeIdle(t: number, state: Presence): Promise<unknown> {
    return this.observe({ kind: "idle", t, state, thresholdMs: this.thresholdMs });
  }

  /** A report from a page, which repeats it until this returns, unless it is closed before. */
  observeReport(observation: Observation): Promise<unknown> {
    return this.accept(observation, true);
  }

  private accept(observation: Observation, isLogged: boolean): Promise<unknown> {
    this.observed += 1;
    const mayBeStored = this.isOn || !this.isBooted;
    // While nothing is recorded, nothing is lost with an observation: the next one may begin a session as well.
    const key = isLogged && mayBeStored ? this.log.append(observation) : undefined;
    const { waiting } = this;
    if (waiting === null) return this.enqueue(() => this.store(observation, key));
    const stored = Promise.withResolvers<true>();
    waiting.push({ observation, key, ...stored });
    // If booting failed, this tries it again.
    return this.enqueue(() => stored.promise);
  }

  get isRecording(): boolean {
    return this.isOn;
  }

  /** Whether it is known if something is being recorded. */
  get isReady(): boolean {
    return this.isBooted;
  }

  /** Do something once everything observed before is stored. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(() => (this.isBooted ? undefined : this.boot())).then(work);
    this.queue = done.catch(logError);
    return done;
  }

  private async boot(): Promise<void> {
    // In parallel: nothing can be stored until all of it is there.
    const [db, isSameRun] = await Promise.all([openDatabase(), keys.isSameRun.get(), this.readSettings()]);
    this.db = db;
    this.sender = new Sender({
      db,
      server: this.server,
      owner: async () => {
        const account = await keys.account.get();
        return account === null || account.isSignedOut ? null : ownerOf(account);
      },
      now: Date.now,
      random: Math.random,
    });
    const recording = await current(db);
    this.isOn = recording !== null && !recording.isInterrupted;
    if (recording !== null && this.isOn && !isSameRun) await this.resume(recording);
    if (!isSameRun) await keys.isSameRun.set(true);
    this.opened.resolve(true);
    if (this.isOn && isSameRun) await this.waitForReports();
    await this.storeWaiting();
    if (this.isOn) setTimeout(() => void this.catchUp(), CATCH_UP_AFTER_MS);
    this.isBooted = true;
    this.schedule.startTimer();
    this.onChange();
  }

  /** Ask the pages for reports that no worker has stored yet, and give them time. */
  private async waitForReports(): Promise<void> {
    const [least, most] = [sleep(REPORTS_WAIT_MS), sleep(REPORTS_WAIT_MOST_MS)];
    const answered = requestReports(REPORTS_FROM_LAST_MS, (observations) => {
      for (const observation of observations) void this.observeReport(observation);
    });
    await Promise.all([least, Promise.race([answered, most])]);
  }

  /** Store what earlier workers left and what this one observed, in the order in which it happened. */
  private async storeWaiting(): Promise<void> {
    const left = await this.log.leftovers();
    const lastStored = (await current(this.db))?.taken;
    const isStored = ({ key }: Logged) => key !== undefined && key === lastStored;
    // First: once another is stored, this one would no longer be recognised.
    await this.log.remove(...left.filter(isStored));
    const waiting = this.waiting ?? [];
    this.waiting = null;
    try {
      for (const each of reorder([...left, ...waiting])) {
        // A stored one is only there for its position in the order.
        if (!isStored(each)) await this.store(each.observation, each.key);
      }
      await this.log.remove(...left, ...waiting);
      for (const { resolve } of waiting) resolve(true);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      this.waiting = [];
      throw error;
    }
  }

  /** The browser was restarted during a recording. Reports from before belong to the old tabs, so they come first. */
  private async resume(recording: Recording): Promise<void> {
    const now = Date.now();
    for (const { observation, key } of reportsFromBefore(await this.log.leftovers(), recording, now))
      await this.store(observation, key);
    const endedAt = ownEnd((await current(this.db)) ?? recording, now, this.automatic.timeZone);
    if (endedAt === null && mayResume(recording, now))
      return this.store(await takeSnapshot(true, this.thresholdMs));
    // What began by itself ends by itself; of what the user began, the user decides.
    await (endedAt !== null ? end(this.db, endedAt) : interrupt(this.db));
    this.isOn = false;
  }

  private async store(observation: Observation, key?: string): Promise<void> {
    if (this.isOn) await this.record(observation, key);
    if (!this.isOn) await this.beginByItself(observation);
    // Awaited: otherwise the next one might be stored before the browser has removed this one, and a worker that is stopped
    // in between would leave both to its successor. This way at most the last stored one is still in the log.
    await this.log.remove({ observation, key });
  }

  private async record(observed: Observation, key?: string): Promise<void> {
    const observation = observed.kind === "idle" ? { ...observed, thresholdMs: this.thresholdMs } : observed;
    const recorded = await this.recordOrOmitText(observation, key);
    if (recorded === null) {
      this.isOn = false; // the server has refused the recording
      await this.automatic.hold(observation.t);
      this.onChange();
      return;
    }
    if ("ended" in recorded) {
      this.isOn = false;
      this.onChange();
      void this.flush(true);
      return;
    }
    if (recorded.events === 0) return;
    this.schedule.stored(recorded.events);
    if (observation.kind === "highlight") this.onChange();
  }

  private async recordOrOmitText(observation: Observation, key: string | undefined) {
    const { timeZone } = this.automatic;
    try {
      return await record(this.db, observation, this.rules, { omitsText: this.isDiskFull, key, timeZone });
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      this.isDiskFull = true;
      return record(this.db, observation, this.rules, { omitsText: true, key, timeZone });
    }
  }

  /** Begin a session, if this observation does and the user wants that. */
  private async beginByItself(observation: Observation): Promise<void> {
    const isRecording = async () => (await current(this.db)) !== null;
    const snapshot = await this.automatic.firstPage(observation, this.rules, this.thresholdMs, isRecording);
    const account = snapshot && (await keys.account.get());
    if (account === null || snapshot === null) return;
    await this.begin(account, snapshot, "itself");
    this.onBegun();
  }

  private async begin(account: Account, snapshot: Snapshot, startedBy: "user" | "itself"): Promise<void> {
    await begin(this.db, crypto.randomUUID(), ownerOf(account), snapshot.t, startedBy);
    this.isOn = true;
    await this.record(snapshot);
    this.onChange();
    void this.flush(true);
  }

  /** A page is in the foreground already: the user has just allowed it to be recorded. */
  beginNow(): Promise<void> {
    const observation = { kind: "focused", t: Date.now(), windowId: 0 } as const;
    return this.enqueue(async () => {
      if (!this.isOn) await this.beginByItself(observation);
    });
  }

  /** Record what was missed, if anything. Only from a snapshot that nothing has happened since. */
  async catchUp(): Promise<void> {
    for (let attempt = 0; attempt < CATCH_UP_ATTEMPTS; attempt++) {
      await this.queue;
      const before = this.observed;
      const snapshot = await takeSnapshot(false, this.thresholdMs);
      const isCurrent = await this.enqueue(async () => {
        if (this.observed !== before) return false;
        await this.store(snapshot);
        return true;
      });
      if (isCurrent) return;
    }
  }

  async readSettings(): Promise<void> {
    const [{ idleAfterS }, rules] = await Promise.all([
      keys.settings.get(),
      currentRules(Date.now()),
      this.automatic.read(),
    ]);
    this.thresholdMs = idleAfterS * 1000;
    this.rules = rules;
  }

  get excluded(): readonly string[] {
    return this.rules.excluded;
  }

  get recordedBy(): Rules {
    return this.rules;
  }

  start(account: Account): Promise<void> {
    return this.enqueue(async () => {
      if (!this.isOn) await this.begin(account, await takeSnapshot(false, this.thresholdMs), "user");
    });
  }

  stop(): Promise<void> {
    const t = Date.now();
    return this.enqueue(() => this.finish(t, () => end(this.db, t)));
  }

  discard(): Promise<void> {
    const t = Date.now();
    return this.enqueue(() => this.finish(t, () => discard(this.db, t)));
  }

  /** Forget the titles of pages that the server has forgotten. */
  forgetPages(domain: string | null): Promise<void> {
    return this.enqueue(() => forgetPages(this.db, domain));
  }

  /** End a recording that began by itself; one that the user started goes on, without any page. */
  pause(): Promise<void> {
    const t = Date.now();
    return this.enqueue(async () => {
      if ((await current(this.db))?.startedBy === "itself")
        await this.finish(t, () => end(this.db, t), false);
    });
  }

  private async finish(t: number, how: () => Promise<unknown>, isHeld = true): Promise<void> {
    await how();
    this.isOn = false;
    if (isHeld) await this.automatic.hold(t);
    this.onChange();
    void this.flush(true);
  }

  /** Save a page to the library: stored at once, sent as soon as the server is reachable. */
  async savePage(
    account: Account,
    address: string,
    title: string,
    asked: { readonly reminds?: boolean } = {},
  ): Promise<void> {
    const at = Date.now();
    await this.settled();
    await keepSave(this.db, ownerOf(account), address, title, at, asked);
    this.schedule.startTimer();
    await this.flush(true);
  }

  deleteLocal(): Promise<void> {
    return this.enqueue(async () => {
      await dropAll(this.db);
      this.isOn = false;
      this.onChange();
    });
  }

  /** The alarm: a fallback for the timer, which is gone if the worker was stopped. */
  async tick(): Promise<void> {
    await this.readSettings(); // a pause may be over
    await this.observe({ kind: "tick", t: Date.now() });
    if (this.isOn) await this.catchUp();
    await this.flush();
  }

  async flush(isUrgent = false): Promise<void> {
    await this.queue;
    this.schedule.sending();
    await this.sender.flush(isUrgent);
    // The server has deleted the recording. One that has ended by itself is off already.
    if ((await current(this.db)) === null && this.isOn) {
      this.isOn = false;
      await this.automatic.hold(Date.now());
    }
    this.onChange();
  }

  /** Whether the alarm is needed: there is something to record or to send, or an absence to be noticed. */
  async isNeeded(): Promise<boolean> {
    await this.queue;
    if (this.automatic.needsTicks || (await this.db.count("recordings")) > 0) return true;
    return (await this.db.count("saves")) > 0;
  }

  /** Until everything observed is stored, without waiting for pages' reports. */
  private async settled(): Promise<void> {
    await (this.waiting === null ? this.queue : Promise.race([this.opened.promise, this.queue]));
  }

  async recordingStatus(): Promise<RecordingStatus> {
    await this.settled();
    return recordingStatus(this.db);
  }

  async status(): Promise<Status> {
    await this.settled();
    return statusOf(this.db, this.isDiskFull);
  }
}

function sleep(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
