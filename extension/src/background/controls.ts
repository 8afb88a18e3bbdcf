/** What the user does: in the popup, in the options, with keyboard shortcuts and in the context menu. */
import { browser } from "@wxt-dev/browser";
import { type Pause, pauseFrom, type PauseLength } from "../automatic/pauses";
import { recordableUrl } from "../capture/exclusions";
import { detectionIntervalS } from "../idle";
import type { Refused, Reply, Request } from "../messages";
import type { Forgettable, KnownPage } from "../outbox/http";
import { parseServerAddress } from "../outbox/server-address";
import { isPermitted } from "../permissions";
import * as keys from "../storage/keys";
import { DEFAULT_SETTINGS, SETTINGS_OF_0_1 } from "../storage/settings";
import { changeExclusions, syncAccount } from "./account-settings";
import { setPauseAlarm } from "./automatic";
import { flashBadge, showBadge } from "./badge";
import { connect, pollForApproval } from "./connect";
import { injectIntoOpenTabs, registerContentScript } from "./content-scripts";
import { nameMenu } from "./context-menu";
import { setInboxAlarm } from "./inbox";
import { logError } from "./log-error";
import { askToHighlight } from "./page-messages";
import type { Recorder } from "./recorder";
import { isRepainting } from "./repaint";
import { loadLanguage } from "../ui/i18n";
import { setSendAlarm } from "./send-schedule";

/** How long the badge says that a page was saved. */
const FLASH_MS = 1_500;
const SYNC_EVERY_MS = 10 * 60_000;

export class Controls {
  private readonly recorder: Recorder;
  private wasRecording: boolean | null = null;
  /** What the badge says for a moment instead of the state. */
  private flash: "✓" | "!" | null = null;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  async answer(request: Request): Promise<Reply> {
    try {
      if (request.ask === "look-up")
        return { ok: true, status: await this.recorder.status(), known: await this.lookUp(request.address) };
      await this.perform(request);
      return { ok: true, status: await this.recorder.status() };
    } catch (error) {
      if (error instanceof RefusedError) return { ok: false, reason: error.refused, refused: error.refused };
      return { ok: false, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  private async perform(request: Exclude<Request, { ask: "look-up" }>): Promise<void> {
    switch (request.ask) {
      case "status":
        return;
      case "start":
        return this.start();
      case "stop":
        return this.stop();
      case "replace":
        return this.replace(request.session);
      case "discard":
        return this.recorder.discard();
      case "pause":
        return this.pause(request.length);
      case "resume":
        return this.resume();
      case "highlight":
        return this.highlightOrRefuse();
      case "save":
        return this.savePage();
      case "remind":
        return this.savePage({ reminds: true });
      case "exclude":
        return this.exclude(request.add, request.remove);
      case "forget":
        return this.forget(request.what);
      case "sync":
        return this.syncAccount();
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
    await this.setPause(null);
    await this.recorder.start(account);
    await this.begun();
  }

  /** Stop the session that is in the way, and start one here. One that is gone is not in the way. */
  private async replace(session: string): Promise<void> {
    const { kind } = await this.recorder.server.stopElsewhere(session);
    if (kind === "unreachable") throw new RefusedError("unreachable");
    if (kind !== "ok" && kind !== "not-found") throw new Error(`Stopping was refused: ${kind}`);
    await this.start();
  }

  private async stop(): Promise<void> {
    await this.recorder.stop();
    // A pause of this recording ends with it; one of recording by itself goes on.
    if ((await keys.pause.get())?.until === null) await this.setPause(null);
  }

  /** A recording has begun. */
  async begun(): Promise<void> {
    await this.refresh();
    // Not awaited: the server may be unreachable. Until it answers, its last answer applies.
    void this.syncAccount().catch(logError);
    await this.injectIntoTabs();
  }

  private async pause(length: PauseLength): Promise<void> {
    const { timezone } = (await keys.person.get()) ?? {};
    await this.setPause(pauseFrom(Date.now(), length, timezone));
    await this.recorder.pause();
    await this.recorder.catchUp();
  }

  private async resume(): Promise<void> {
    await this.setPause(null);
    await keys.held.set(null);
    await this.recorder.readSettings();
    if (this.recorder.isRecording) {
      await this.recorder.catchUp();
      await this.injectIntoTabs();
    } else await this.recorder.beginNow();
  }

  private async setPause(pause: Pause | null): Promise<void> {
    await keys.pause.set(pause);
    await setPauseAlarm(pause);
    await this.refresh();
  }

  private async exclude(add: readonly string[], remove: readonly string[]): Promise<void> {
    await changeExclusions(add, remove);
    await this.refresh();
    await this.recorder.catchUp();
    if (remove.length > 0 && this.recorder.isRecording) await this.injectIntoTabs();
    void this.syncAccount().catch(logError);
  }

  private async forget(what: Forgettable): Promise<void> {
    const { kind } = await this.recorder.server.forget(what, Date.now());
    if (kind === "unreachable") throw new RefusedError("unreachable");
    if (kind !== "ok") throw new Error(`Forgetting was refused: ${kind}`);
    await this.recorder.forgetPages("domain" in what ? what.domain : null);
  }

  async toggle(): Promise<void> {
    if (this.recorder.isRecording) await this.stop();
    else await this.start();
  }

  /** Highlight what is selected in the active tab. Whether anything was. */
  async highlight(): Promise<boolean> {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    return tab?.id !== undefined && askToHighlight(tab.id);
  }

  private async highlightOrRefuse(): Promise<void> {
    if (!(await this.highlight())) throw new RefusedError("nothing-selected");
  }

  /** Save the page in the active tab to the library, or have it come back, too. */
  async savePage(asked: { readonly reminds?: boolean } = {}): Promise<void> {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    const account = await keys.account.get();
    if (account === null) throw new RefusedError("not-connected");
    if (!/^https?:/.test(tab?.url ?? "")) throw new RefusedError("not-web");
    await this.recorder.savePage(account, tab?.url ?? "", tab?.title ?? "", asked);
  }

  /** Without the popup, the badge says for a moment that it worked, or that it did not. */
  async saveAndShow(asked: { readonly reminds?: boolean } = {}): Promise<void> {
    const isSaved = await this.savePage(asked).then(
      () => true,
      () => false,
    );
    this.flash = isSaved ? "✓" : "!";
    await this.refreshBadge();
    setTimeout(() => {
      this.flash = null;
      void this.refreshBadge().catch(logError);
    }, FLASH_MS);
  }

  /** What the server knows of an address; null if it can't be asked. */
  private async lookUp(address: string): Promise<KnownPage | null> {
    const answer = await this.recorder.server.lookUp(address);
    return answer.kind === "ok" ? answer.value : null;
  }

  private async connect(typed: string): Promise<void> {
    const server = parseServerAddress(typed);
    if (server === null) throw new Error("not an address");
    await connect(server);
    await this.pollForApproval();
  }

  pollForApproval(): Promise<void> {
    return pollForApproval(async () => {
      await this.syncAccount();
      await this.recorder.flush(true);
    });
  }

  /** Exchange with the server what the account excludes, and in which language and time zone the person lives. */
  async syncAccount(): Promise<void> {
    await syncAccount(this.recorder.server);
    await keys.syncedAt.set(Date.now());
    await this.refresh();
    await nameMenu();
  }

  /** With an alarm: changes that the server doesn't have yet, and now and then what was changed elsewhere. */
  async syncIfDue(): Promise<void> {
    const [syncedAt, changes] = await Promise.all([keys.syncedAt.get(), keys.exclusionChanges.get()]);
    const isDue = Math.abs(Date.now() - syncedAt) >= SYNC_EVERY_MS;
    if (isDue || Object.keys(changes).length > 0) await this.syncAccount();
  }

  /** Something changed. When a recording ends, for whatever reason, the content script is unregistered. */
  async changed(): Promise<void> {
    const { isRecording } = this.recorder;
    const hasToggled = this.wasRecording !== null && this.wasRecording !== isRecording;
    this.wasRecording = isRecording;
    await (hasToggled ? this.refresh() : this.refreshBadge());
  }

  /** After an install or an update no page has our content script. */
  async installed(isUpdate: boolean): Promise<void> {
    // What was on in an earlier version without being stored stays on.
    if ((await keys.settings.stored()) === undefined)
      await keys.settings.set(isUpdate ? SETTINGS_OF_0_1 : DEFAULT_SETTINGS);
    await this.refresh();
    if (this.recorder.isRecording) await this.injectIntoTabs();
  }

  private async injectIntoTabs(): Promise<void> {
    const { only } = await keys.settings.get();
    await injectIntoOpenTabs(only, (url) => recordableUrl(url, this.recorder.recordedBy) === null);
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
    await loadLanguage();
    browser.idle.setDetectionInterval(detectionIntervalS(idleAfterS));
    const { isRecording, excluded } = this.recorder;
    await registerContentScript("page", isRecording, only, excluded);
    await registerContentScript("repaint", await isRepainting(), only, excluded);
    await setInboxAlarm(this.recorder.server);
    await this.refreshBadge();
  }

  private async refreshBadge(): Promise<void> {
    const status = await this.recorder.recordingStatus();
    await setSendAlarm(await this.recorder.isNeeded());
    await (this.flash === null ? showBadge(status) : flashBadge(this.flash));
  }
}

/** What was asked for can't be done now. */
class RefusedError extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused);
    this.refused = refused;
  }
}

export async function openSetup(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL("/setup.html") });
}
