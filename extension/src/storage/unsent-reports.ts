/**
 * Reports that the background has not stored yet. The content script keeps them here, so that the next worker finds them
 * even if the page has been closed and cannot repeat them. Whoever stores a report removes it.
 */
import { browser } from "@wxt-dev/browser";
import type { NumberedReport, TabRef } from "../messages";

const PREFIX = "report ";

export interface UnsentReport {
  readonly report: NumberedReport;
  /** null if the page did not know its tab yet. */
  readonly tab: TabRef | null;
}

export function unsentReportKey(reportId: string): string {
  return PREFIX + reportId;
}

export function isUnsentReportKey(key: string): boolean {
  return key.startsWith(PREFIX);
}

export function saveReport(report: NumberedReport, tab: TabRef | null): void {
  const saved: UnsentReport = { report, tab };
  browser.storage.local.set({ [unsentReportKey(report.reportId)]: saved }).catch(() => undefined);
}

export async function unsentReports(): Promise<UnsentReport[]> {
  const stored = await browser.storage.local.get(null);
  return Object.keys(stored)
    .filter(isUnsentReportKey)
    .map((key) => stored[key] as UnsentReport);
}

export async function removeReports(reportIds: readonly string[]): Promise<void> {
  if (reportIds.length > 0) await browser.storage.local.remove(reportIds.map(unsentReportKey));
}
