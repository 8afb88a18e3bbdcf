/**
 * Sends the page's reports to the background until they are answered, which means stored: the worker may be stopped
 * meanwhile. All unanswered reports are sent together and in order. It stops only with the page or the extension.
 */
import { browser } from "@wxt-dev/browser";
import type { NumberedReport, PageReply, PageReport, PageReports, TabRef } from "../messages";
import { saveReport } from "../storage/unsent-reports";

const FIRST_RETRY_MS = 40;
const LONGEST_RETRY_MS = 30_000;

type Send = (reports: PageReports) => Promise<PageReply | undefined>;
type Save = (report: NumberedReport, tab: TabRef | null) => void;

export class Reporter {
  private readonly script = Math.random().toString(36).slice(2);
  private readonly send: Send;
  private readonly save: Save;
  private readonly onRecordingOver: () => void;
  private tab: TabRef | null = null;
  private unanswered: readonly NumberedReport[] = [];
  private count = 0;
  private failures = 0;
  private isStopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    onRecordingOver: () => void,
    send: Send = (reports) => browser.runtime.sendMessage(reports),
    save: Save = saveReport,
  ) {
    this.onRecordingOver = onRecordingOver;
    this.send = send;
    this.save = save;
  }

  report(report: PageReport): Promise<void> {
    this.count += 1;
    const numbered = { ...report, reportId: `${this.script} ${this.count}` };
    this.unanswered = [...this.unanswered, numbered];
    this.save(numbered, this.tab);
    return this.sendUnanswered();
  }

  /** Ask the background which tab this is. */
  async askForTab(): Promise<void> {
    await this.isAnswered({ reports: [] });
  }

  /** For a new worker, which has said which tab this is. */
  unansweredIn(tab: TabRef): PageReports {
    this.tab = tab;
    return { reports: this.unanswered };
  }

  /** The worker that did not answer may be gone, and there is a new one. */
  resend(): Promise<void> {
    return this.unanswered.length > 0 ? this.sendUnanswered() : Promise.resolve();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async sendUnanswered(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    const reports = this.unanswered;
    if (await this.isAnswered({ reports })) {
      this.failures = 0;
      this.unanswered = this.unanswered.filter((report) => !reports.includes(report));
    } else {
      const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures);
      this.failures += 1;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.resend(), wait);
    }
  }

  private async isAnswered(reports: PageReports): Promise<boolean> {
    try {
      const reply = await this.send(reports);
      this.tab = reply?.tab ?? this.tab;
      if (reply?.isRecording === false) this.onRecordingOver();
      return reply !== undefined;
    } catch {
      return false; // the worker was stopped
    }
  }
}
