/** What the user does: in the popup, in the options, with keyboard shortcuts and in the context menu. */
import { browser } from "@wxt-dev/browser";
import { isWithin } from "../capture/exclusions";
import { detectionIntervalS } from "../idle";
import type { Reply, Request } from "../messages";
import { ownerOf } from "../outbox/account";
import { parseServerAddress } from "../outbox/server-address";
import { isPermitted } from "../permissions";
import * as keys from "../storage/keys";
import { showBadge } from "./badge";
import { connect, pollForApproval } from "./connect";
import { injectIntoOpenTabs, registerContentScript } from "./content-scripts";
import { sendCommand } from "./page-messages";
import type { Recorder } from "./recorder";
import { setSendAlarm } from "./send-schedule";

export class Controls {
  private readonly recorder: Recorder;
  private wasRecording: boolean | null = null;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  async answer(request: Request): Promise<Reply> {
    try {
      await this.perform(request);
      return { ok: true, status: await this.recorder.status() };
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

  /** Start recording, or open the setup page if something is missing. */
  async start(): Promise<void> {
    const [account, { only }] = [await keys.account.get(), await keys.settings.get()];
    if (account === null || account.isSignedOut) return openSetup();
    if (!(await isPermitted(only))) return openSetup();
    await this.recorder.start(ownerOf(account));
    await this.refresh();
    // Not awaited: the server may be unreachable. Until it answers, its last answer applies.
    void this.updateAccountExclusions().then(() => this.refresh());
    await this.injectIntoTabs();
  }

  async toggle(): Promise<void> {
    if (this.recorder.isRecording) await this.recorder.stop();
    else await this.start();
  }

  async highlight(): Promise<void> {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    if (tab?.id !== undefined) sendCommand(tab.id, { kind: "highlight" });
  }

  private async connect(typed: string): Promise<void> {
    const server = parseServerAddress(typed);
    if (server === null) throw new Error("not an address");
    await connect(server);
    await this.pollForApproval();
  }

  pollForApproval(): Promise<void> {
    return pollForApproval(async () => {
      await this.updateAccountExclusions();
      await this.recorder.flush(true);
    });
  }

  /** The account's own list of excluded domains. Without an answer, the last one applies. */
  private async updateAccountExclusions(): Promise<void> {
    const me = await this.recorder.server.me();
    if (me.kind !== "ok") return;
    await keys.accountExcluded.set(me.value.settings.excluded_domains);
    await this.recorder.readSettings();
  }

  /** Something changed. When a recording ends, for whatever reason, the content script is unregistered. */
  async changed(): Promise<void> {
    const { isRecording } = this.recorder;
    const hasToggled = this.wasRecording !== null && this.wasRecording !== isRecording;
    this.wasRecording = isRecording;
    await (hasToggled ? this.refresh() : this.refreshBadge());
  }

  /** After an install or an update no page has our content script. */
  async installed(): Promise<void> {
    await this.refresh();
    if (this.recorder.isRecording) await this.injectIntoTabs();
  }

  private async injectIntoTabs(): Promise<void> {
    const { only } = await keys.settings.get();
    await injectIntoOpenTabs(only, (url) => isWithin(new URL(url).hostname, this.recorder.excluded));
  }

  /** Apply the current state to content scripts, idle detection and badge; one at a time, or two would register scripts. */
  refresh(): Promise<void> {
    const done = this.refreshing.then(() => this.refreshAll());
    this.refreshing = done.catch(() => undefined);
    return done;
  }

  private async refreshAll(): Promise<void> {
    // A worker that has just started doesn't know yet whether it records, and would unregister the content script.
    await this.recorder.isNeeded();
    await this.recorder.readSettings();
    const { only, idleAfterS } = await keys.settings.get();
    browser.idle.setDetectionInterval(detectionIntervalS(idleAfterS));
    await registerContentScript(this.recorder.isRecording, only, this.recorder.excluded);
    await this.refreshBadge();
  }

  private async refreshBadge(): Promise<void> {
    const status = await this.recorder.recordingStatus();
    await setSendAlarm(await this.recorder.isNeeded());
    await showBadge(status);
  }
}

export async function openSetup(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL("/setup.html") });
}
