/**
 * How often events are sent: every 5 seconds while the worker is awake, at once when there are enough for a full batch, and by an alarm if the
 * worker was stopped meanwhile.
 */
import { BATCH_LIMIT } from "@mindhit/client";
import { browser } from "@wxt-dev/browser";

const SEND_EVERY_MS = 5_000;
/** Browsers allow no shorter period. */
const ALARM_MINUTES = 0.5;
export const SEND_ALARM = "tick";

export class SendSchedule {
  private readonly send: () => Promise<unknown>;
  private readonly hasUnsent: () => Promise<boolean>;
  private unsent = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: () => Promise<unknown>, hasUnsent: () => Promise<boolean>) {
    this.send = send;
    this.hasUnsent = hasUnsent;
  }

  /** More events were stored. */
  stored(events: number): void {
    this.unsent += events;
    if (this.unsent >= BATCH_LIMIT) void this.send();
    else this.startTimer();
  }

  /** All stored events are being sent. */
  sending(): void {
    this.unsent = 0;
  }

  /** Send soon, and go on as long as there is something to send and the worker is awake. */
  startTimer(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.send().then(async () => {
        if (await this.hasUnsent()) this.startTimer();
      });
    }, SEND_EVERY_MS);
  }
}

/** Keep the alarm that wakes a stopped worker only as long as it is needed. */
export async function setSendAlarm(isNeeded: boolean): Promise<void> {
  const found = await browser.alarms.get(SEND_ALARM);
  if (isNeeded && found === undefined)
    await browser.alarms.create(SEND_ALARM, { periodInMinutes: ALARM_MINUTES });
  if (!isNeeded && found !== undefined) await browser.alarms.clear(SEND_ALARM);
}
