/**
 * A write-ahead log of observations that are not in the database yet. A listener appends to it synchronously, before the
 * database is open: then the browser has it, and a worker that is stopped a moment later leaves it to the next one. It is in
 * `storage.session` and ends with the browser, as do the tabs it refers to. Reports from pages are kept beside it, by the
 * pages themselves (`storage/unsent-reports.ts`).
 *
 * Switching tabs and committing a page is known from both the browser and the page, and either is enough. What only the
 * browser knows is only in the log: closed tabs, focus, idle state, pages without a content script. What only a page knows,
 * its text and highlights, is only with the page until it is stored, and in the unsent reports if the page is closed first.
 */
import { browser } from "@wxt-dev/browser";
import { NO_TAB, type Observation } from "../capture/observations";
import type { Logged } from "../capture/reorder";
import { isReport } from "../capture/report-ids";
import type { TabRef } from "../messages";
import { removeReports, unsentReports } from "../storage/unsent-reports";
import { toObservation } from "./page-messages";

const PREFIX = "observation ";
const UNKNOWN_TAB: TabRef = { tabId: NO_TAB, windowId: NO_TAB };

export class WriteAheadLog {
  private readonly workerId = crypto.randomUUID();
  private count = 0;

  /** Returns its key, which sorts by time. */
  append(observation: Observation): string {
    this.count += 1;
    const key = `${PREFIX}${Date.now()} ${String(this.count).padStart(6, "0")} ${this.workerId}`;
    browser.storage.session.set({ [key]: observation }).catch(() => undefined);
    return key;
  }

  /** They are stored, or not needed. Returns when the browser has removed them. */
  async remove(...logged: readonly Logged[]): Promise<void> {
    const keys = logged.flatMap(({ key }) => key ?? []);
    const reportIds = logged.flatMap(({ observation }) =>
      isReport(observation) ? observation.reportId : [],
    );
    await Promise.allSettled([
      ...(keys.length > 0 ? [browser.storage.session.remove(keys)] : []),
      removeReports(reportIds),
    ]);
  }

  /** What earlier workers left, oldest first, then all unsent reports. */
  async leftovers(): Promise<Logged[]> {
    const [stored, reports] = await Promise.all([browser.storage.session.get(null), unsentReports()]);
    const left = Object.keys(stored)
      .filter((key) => key.startsWith(PREFIX) && !key.endsWith(this.workerId))
      .sort()
      .map((key) => ({ key, observation: stored[key] as Observation }));
    const reported = reports
      .map(({ report, tab }) => ({ observation: toObservation(report, tab ?? UNKNOWN_TAB, false) }))
      .sort((a, b) => a.observation.t - b.observation.t);
    return [...left, ...reported];
  }
}
