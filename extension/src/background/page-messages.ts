/** Messages to and from the content scripts. */
import { type Browser, browser } from "@wxt-dev/browser";
import { NO_TAB, type Observation } from "../capture/observations";
import type { HighlightReply, NumberedReport, PageCommand, PageReports, TabRef } from "../messages";
import type { Recorder } from "./recorder";

/** As much of a tab as matters here. */
export interface ReportingTab {
  readonly id?: number | undefined;
  readonly windowId: number;
  readonly incognito: boolean;
}

export function sendCommand(tabId: number, command: PageCommand): void {
  browser.tabs.sendMessage(tabId, command, { frameId: 0 }).catch(() => undefined); // no content script there
}

/** Highlight what is selected in a tab. Whether there was anything; false if no content script is there. */
export async function askToHighlight(tabId: number): Promise<boolean> {
  try {
    const command: PageCommand = { kind: "highlight" };
    const reply: Partial<HighlightReply> | undefined = await browser.tabs.sendMessage(tabId, command, {
      frameId: 0,
    });
    return reply?.isHighlighted === true;
  } catch {
    return false;
  }
}

/** A content script only reports about its own tab. Returns when the reports are stored. */
export async function receiveReports(
  recorder: Recorder,
  reports: readonly NumberedReport[],
  tab: ReportingTab,
): Promise<void> {
  if (tab.id === undefined || reports.length === 0) return;
  const isActive = await browser.tabs.get(tab.id).then(
    ({ active }) => active,
    () => false, // closed meanwhile
  );
  await Promise.all(
    toObservations(reports, tab, isActive).map((observation) => recorder.observeReport(observation)),
  );
}

/** Ask the pages for reports that no worker has stored yet; `onReports` is called for each page as it answers. */
export async function requestReports(
  withinMs: number,
  onReports: (observations: Observation[]) => void,
): Promise<unknown> {
  return Promise.allSettled(
    (await recentTabs(withinMs)).map(async (tab) => {
      const ref = { tabId: tab.id ?? NO_TAB, windowId: tab.windowId };
      const command: PageCommand = { kind: "report", tab: ref };
      const answer: PageReports = await browser.tabs.sendMessage(ref.tabId, command, { frameId: 0 });
      onReports(toObservations(answer.reports, tab, tab.active));
    }),
  );
}

/** Tabs that were active not long ago: only their pages can have unanswered reports. */
async function recentTabs(withinMs: number): Promise<Browser.tabs.Tab[]> {
  const since = Date.now() - withinMs;
  const tabs = await browser.tabs.query({ discarded: false });
  return tabs.filter(({ lastAccessed = since }) => lastAccessed >= since);
}

function toObservations(
  reports: readonly NumberedReport[],
  { id, windowId, incognito }: ReportingTab,
  isActive: boolean,
): Observation[] {
  if (id === undefined || incognito) return [];
  return reports.map((report) => toObservation(report, { tabId: id, windowId }, isActive));
}

export function toObservation(
  report: NumberedReport,
  { tabId, windowId }: TabRef,
  isActive: boolean,
): Observation {
  return report.kind === "shown" ? { ...report, tabId, windowId, isActive } : { ...report, tabId };
}
