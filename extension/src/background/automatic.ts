/**
 * Sessions that begin by themselves: watches for the first page, by the rules of `automatic/rules.ts`. Their end is decided
 * where observations are stored (`outbox/recordings.ts`), in the same transaction.
 */
import { browser } from "@wxt-dev/browser";
import { isPaused, type Pause } from "../automatic/pauses";
import { mayBegin, wasAway } from "../automatic/rules";
import type { Rules } from "../capture/exclusions";
import type { Observation, Snapshot } from "../capture/observations";
import { reduce } from "../capture/reduce";
import { isUsed, NOTHING_KNOWN } from "../capture/state";
import { isPermitted } from "../permissions";
import * as keys from "../storage/keys";
import { takeSnapshot } from "./snapshot";

const PAUSE_ALARM = "pause";
/** How exactly it is known when the user was last there while nothing is recorded. */
const ACTIVITY_STEP_MS = 60_000;

export class Automatic {
  /** The person's, or (undefined) the browser's. */
  timeZone: string | undefined;
  private isWanted = false;
  private pause: Pause | null = null;
  private heldAt: number | null = null;

  async read(): Promise<void> {
    const [{ isAutomatic }, pause, held, person] = await Promise.all([
      keys.settings.get(),
      keys.pause.get(),
      keys.held.get(),
      keys.person.get(),
    ]);
    this.isWanted = isAutomatic;
    this.pause = pause;
    this.heldAt = held;
    this.timeZone = person?.timezone;
  }

  /** Whether the alarm is needed although nothing is recorded: to know when the user was away. */
  get needsTicks(): boolean {
    return this.isWanted && this.heldAt !== null;
  }

  /** The user has stopped a session: the next page must not begin another one at once. */
  async hold(now: number): Promise<void> {
    if (!this.isWanted) return;
    this.heldAt = now;
    await keys.held.set(now);
  }

  /** Nothing is being recorded. Returns a snapshot to begin a session with, if this observation begins one. */
  async firstPage(
    observation: Observation,
    rules: Rules,
    thresholdMs: number,
    isRecording: () => Promise<boolean>,
  ): Promise<Snapshot | null> {
    if (!this.isWanted) return null;
    await this.follow(observation, rules, thresholdMs);
    const { t } = observation;
    if (!bringsPage(observation) || this.heldAt !== null || isPaused(this.pause, t)) return null;
    const snapshot = await takeSnapshot(false, thresholdMs);
    const situation = {
      isWanted: true,
      isPossible: await isPossible(rules),
      isRecording: await isRecording(),
      pause: this.pause,
      isHeld: false,
      hasPage: Boolean(reduce(NOTHING_KNOWN, snapshot, rules).state.foreground),
    };
    return mayBegin(situation, snapshot.t) ? snapshot : null;
  }

  /** After a stop: whether the user has been away since. */
  private async follow(observation: Observation, rules: Rules, thresholdMs: number): Promise<void> {
    const { heldAt } = this;
    const { t } = observation;
    if (heldAt === null) return;
    if (wasAway(heldAt, t)) {
      this.heldAt = null;
      await keys.held.set(null);
    } else if (Math.abs(t - heldAt) >= ACTIVITY_STEP_MS && (await isUser(observation, rules, thresholdMs))) {
      this.heldAt = t;
      await keys.held.set(t);
    }
  }
}

/** Whether a page has come to the foreground, or the user has come back to one. */
function bringsPage(observation: Observation): boolean {
  const { kind } = observation;
  if (kind === "updated") return observation.url !== undefined;
  if (kind === "focused") return observation.windowId >= 0;
  if (kind === "idle") return observation.state === "active";
  return kind === "committed" || kind === "activated";
}

async function isUser(observation: Observation, rules: Rules, thresholdMs: number): Promise<boolean> {
  if (observation.kind !== "tick") return bringsPage(observation);
  return isUsed(reduce(NOTHING_KNOWN, await takeSnapshot(false, thresholdMs), rules).state);
}

async function isPossible({ only }: Rules): Promise<boolean> {
  const account = await keys.account.get();
  return account !== null && !account.isSignedOut && (await isPermitted(only));
}

/** Wakes the worker when a pause is over, so that the badge says so. Nothing depends on its being in time. */
export async function setPauseAlarm(pause: Pause | null): Promise<void> {
  const until = pause?.until ?? null;
  if (until === null) await browser.alarms.clear(PAUSE_ALARM);
  else await browser.alarms.create(PAUSE_ALARM, { when: until });
}

export function isPauseAlarm(name: string): boolean {
  return name === PAUSE_ALARM;
}
