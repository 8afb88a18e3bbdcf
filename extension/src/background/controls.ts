/** What readers ask for: in the popup, in the options, by keys and by the menu. */
import { browser } from "@wxt-dev/browser";
import { isWithin } from "../capture/pages";
import type { Reply, Request, Status } from "../messages";
import { ownerOf } from "../outbox/account";
import { serverOf } from "../outbox/address";
import * as keys from "../storage/keys";
import { show } from "./badge";
import { awaitAnswer, connect } from "./connect";
import { order } from "./listeners";
import { keepAlarm } from "./pace";
import type { Recorder } from "./recorder";
import { isPermitted, placeInOpenTabs, placeScripts } from "./scripts";

export class Controls {
  private readonly recorder: Recorder;
  private wasOn: boolean | null = null;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  async answer(request: Request): Promise<Reply> {
    try {
      await this.perform(request);
      return { ok: true, status: await this.status() };
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  private async perform(request: Request): Promise<void> {
    switch (request.ask) {
      case "status":
        return;
      case "start":
        return this.start();
      case "stop":
        return this.recorder.stop();
      case "discard":
        return this.recorder.discard();
      case "connect":
        return this.connect(request.server);
      case "disconnect":
        return keys.account.set(null);
      case "delete-local":
        return this.recorder.deleteLocal();
      case "permitted":
        return this.refresh();
    }
  }

  /** Start, or lead to the page where what is missing can be given. */
  async start(): Promise<void> {
    const [account, { only }] = [await keys.account.get(), await keys.settings.get()];
    if (account === null || account.isSignedOut) return openSetup();
    if (!(await isPermitted(only))) return openSetup();
    await this.recorder.start(ownerOf(account));
    await this.refresh();
    // Not waited for: the server may be away. Until it answers, its last answer stands.
    void this.hearExcluded().then(() => this.refresh());
    await this.placeInTabs();
  }

  async toggle(): Promise<void> {
    if (this.recorder.isOn) await this.recorder.stop();
    else await this.start();
  }

  async mark(): Promise<void> {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    if (tab?.id !== undefined) order(tab.id, { kind: "mark" });
  }

  private async connect(typed: string): Promise<void> {
    const server = serverOf(typed);
    if (server === null) throw new Error("no address");
    await connect(server);
    await this.pollConnection();
  }

  pollConnection(): Promise<void> {
    return awaitAnswer(async () => {
      await this.hearExcluded();
      await this.recorder.flush(true);
    });
  }

  /** The account's own list of domains that are left out. Without an answer, the last one stands. */
  private async hearExcluded(): Promise<void> {
    const me = await this.recorder.server.me();
    if (me.kind !== "ok") return;
    await keys.accountExcluded.set(me.value.settings.excluded_domains);
    await this.recorder.readRules();
  }

  /** Something has changed. Scripts go out of the pages with the end of a recording, whoever has ended it. */
  async changed(): Promise<void> {
    const { isOn } = this.recorder;
    const isTurned = this.wasOn !== null && this.wasOn !== isOn;
    this.wasOn = isOn;
    await (isTurned ? this.refresh() : this.showMark());
  }

  /** After an install or an update nothing of ours is in the pages. */
  async renew(): Promise<void> {
    await this.refresh();
    if (this.recorder.isOn) await this.placeInTabs();
  }

  private async placeInTabs(): Promise<void> {
    const { only } = await keys.settings.get();
    await placeInOpenTabs(only, (url) => isWithin(new URL(url).hostname, this.recorder.excluded));
  }

  /** Bring scripts, idle threshold and badge in line with what is so; one after the other, or two would register scripts. */
  refresh(): Promise<void> {
    const done = this.refreshing.then(() => this.bringInLine());
    this.refreshing = done.catch(() => undefined);
    return done;
  }

  private async bringInLine(): Promise<void> {
    // A life that has just begun does not know yet whether it records, and would take the script out of the pages.
    await this.recorder.isNeeded();
    await this.recorder.readRules();
    const { only, idleAfterS } = await keys.settings.get();
    browser.idle.setDetectionInterval(Math.max(15, idleAfterS));
    await placeScripts(this.recorder.isOn, only, this.recorder.excluded);
    await this.showMark();
  }

  async showMark(): Promise<void> {
    const { recording, isOffline } = await this.recorder.standing();
    await keepAlarm(await this.recorder.isNeeded());
    if (recording === null) await show("off");
    else if (recording.isInterrupted) await show("attention");
    else await show(isOffline ? "offline" : "on");
  }

  async status(): Promise<Status> {
    const [standing, account, connecting, { only }] = await Promise.all([
      this.recorder.standing(),
      keys.account.get(),
      keys.connecting.get(),
      keys.settings.get(),
    ]);
    const { recording, pages, highlights, ...rest } = standing;
    return {
      ...rest,
      account: account && { server: account.server, email: account.email, isSignedOut: account.isSignedOut },
      connecting: connecting && { userCode: connecting.userCode, url: connecting.url },
      isPermitted: await isPermitted(only),
      recording: recording && {
        startedAt: recording.startedAt,
        lastAt: recording.capture.lastAt ?? recording.startedAt,
        pages,
        highlights,
        isInterrupted: recording.isInterrupted,
      },
      outcome: await this.recorder.outcome(),
    };
  }
}

export async function openSetup(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL("/setup.html") });
}
