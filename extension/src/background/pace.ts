/**
 * When what is held is sent: seconds after it was stored while the worker is awake, at once when it has become much, and by
 * an alarm where the worker has gone to sleep over it.
 */
import { browser } from "@wxt-dev/browser";

const SEND_EVERY_MS = 5_000;
const SEND_AT = 200;

export class Pace {
  private readonly send: () => Promise<unknown>;
  private readonly isHeld: () => Promise<boolean>;
  private unsent = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: () => Promise<unknown>, isHeld: () => Promise<boolean>) {
    this.send = send;
    this.isHeld = isHeld;
  }

  /** So many events more are held. */
  stored(events: number): void {
    this.unsent += events;
    if (this.unsent >= SEND_AT) void this.send();
    else this.arm();
  }

  /** All that is held is being sent. */
  sending(): void {
    this.unsent = 0;
  }

  /** Send in a moment, and go on as long as there is something to send and the worker is awake. */
  arm(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.send().then(async () => {
        if (await this.isHeld()) this.arm();
      });
    }, SEND_EVERY_MS);
  }
}

/** The alarm that wakes a sleeping worker; alarms go off no faster. */
export async function keepAlarm(isNeeded: boolean): Promise<void> {
  const found = await browser.alarms.get("tick");
  if (isNeeded && found === undefined) await browser.alarms.create("tick", { periodInMinutes: 0.5 });
  if (!isNeeded && found !== undefined) await browser.alarms.clear("tick");
}
