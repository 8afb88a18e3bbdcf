/**
 * Reports that the background has not stored yet. The content script keeps them here, so that the next worker finds them
 * even if the page has been closed and cannot repeat them. Whoever stores a report removes it.
 */
import { browser } from "@wxt-dev/browser";
import type { NumberedReport, PageReport, TabRef } from "../messages";

const PREFIX = "report ";
/** Before version 0.2. After an update such reports are read as well, and removed with the others. */
const OLD_PREFIX = "word ";

export interface UnsentReport {
  readonly report: NumberedReport;
  /** null if the page did not know its tab yet. */
  readonly tab: TabRef | null;
}

/** The same as an `UnsentReport`, under other names. */
interface OldReport {
  readonly word: PageReport & { readonly message: string };
  readonly place: TabRef | null;
}

export function unsentReportKey(reportId: string): string {
  return PREFIX + reportId;
}

export function isUnsentReportKey(key: string): boolean {
  return key.startsWith(PREFIX) || key.startsWith(OLD_PREFIX);
}

export function saveReport(report: NumberedReport, tab: TabRef | null): void {
  const saved: UnsentReport = { report, tab };
  browser.storage.local.set({ [unsentReportKey(report.reportId)]: saved }).catch(() => undefined);
}

export async function unsentReports(): Promise<UnsentReport[]> {
  const stored = await browser.storage.local.get(null);
  return Object.keys(stored)
    .filter(isUnsentReportKey)
    .map((key) => read(stored[key] as UnsentReport | OldReport));
}

function read(stored: UnsentReport | OldReport): UnsentReport {
  if ("report" in stored) return stored;
  const { message, ...report } = stored.word;
  return { report: { ...report, reportId: message }, tab: stored.place };
}

export async function removeReports(reportIds: readonly string[]): Promise<void> {
  if (reportIds.length === 0) return;
  await browser.storage.local.remove(reportIds.flatMap((id) => [unsentReportKey(id), OLD_PREFIX + id]));
}
