/** The content script: runs once per page, and only while the extension that injected it is alive. */
import { browser } from "@wxt-dev/browser";
import type { HighlightReply, PageCommand, PageReport, PageReports } from "../messages";
import { isOwnServer } from "../capture/exclusions";
import * as keys from "../storage/keys";
import { ownServer } from "../storage/rules";
import { ExtractSchedule } from "./extract-schedule";
import { Highlights } from "./highlights";
import { drawIcon } from "./icon";
import { Reporter } from "./reporter";
import { isSamePage } from "./same-page";

const RUNNING = Symbol.for("mindhit.running");

export async function watchPage(): Promise<void> {
  const globals = globalThis as { [RUNNING]?: () => boolean };
  if (window.top !== window || globals[RUNNING]?.() === true) return;
  const stopped = new AbortController();
  // After an update the old script is disconnected from the new extension, and a new script takes over.
  globals[RUNNING] = () => isConnected() && !stopped.signal.aborted;

  const end = () => {
    stopped.abort();
    reporter.stop();
    extraction.stop();
    browser.runtime.onMessage.removeListener(onCommand);
  };
  const reporter = new Reporter(end);
  const report = (report: PageReport) => {
    if (stopped.signal.aborted) return;
    if (isConnected()) void reporter.report(report);
    else end();
  };
  const extraction = new ExtractSchedule(document, report, drawIcon(document, stopped.signal));
  const highlights = new Highlights(document, report);
  const onCommand = (
    command: PageCommand,
    _sender: unknown,
    reply: (answer: PageReports | HighlightReply) => void,
  ) => {
    const t = Date.now();
    if (command.kind === "highlight") reply({ isHighlighted: highlights.highlight(t) });
    else if (command.kind === "url-changed") void extraction.urlChanged();
    else {
      reply(reporter.unansweredIn(command.tab));
      void reporter.resend();
    }
  };
  browser.runtime.onMessage.addListener(onCommand);
  void reporter.askForTab();
  reportWhenShown(report, stopped.signal);
  reportUrlChanges(report, stopped.signal);
  const [settings, account] = await Promise.all([keys.settings.get(), keys.account.get()]);
  const own = ownServer(settings, account);
  if (own !== undefined && isOwnServer(new URL(location.href), own)) {
    end();
    return;
  }
  if (settings.marksSelection) highlights.watchSelection(stopped.signal);
  window.addEventListener(
    "pageshow",
    ({ persisted }) => {
      if (persisted) extraction.restored();
    },
    { signal: stopped.signal },
  );
  await extraction.start();
}

/** Report when the page becomes visible. The browser's own event may be lost with a worker that is stopped. */
function reportWhenShown(report: (report: PageReport) => void, signal: AbortSignal): void {
  const { timeOrigin } = performance;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const bornAt = Math.round(timeOrigin + (navigation?.responseStart ?? 0));
  const reportIfVisible = (isFirst: boolean) => {
    const t = Date.now();
    if (document.visibilityState === "visible")
      report({ kind: "shown", t, url: location.href, bornAt, isFirst });
  };
  document.addEventListener(
    "visibilitychange",
    () => {
      reportIfVisible(false);
    },
    { signal },
  );
  const bornUrl = navigation?.name ?? location.href;
  // The page's script may have changed the URL before this one ran. In a page that is older than the recording that is long past.
  const hasMoved = !isSamePage(bornUrl, location.href) && document.readyState !== "complete";
  if (hasMoved && document.visibilityState === "visible") {
    const t = Date.now();
    report({ kind: "shown", t, url: bornUrl, bornAt, isFirst: true });
    report({ kind: "moved", t, url: location.href });
  } else reportIfVisible(true);
}

/** Report when a script changes the URL, in browsers that tell the page. */
function reportUrlChanges(report: (report: PageReport) => void, signal: AbortSignal): void {
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener(
    "currententrychange",
    () => {
      report({ kind: "moved", t: Date.now(), url: location.href });
    },
    { signal },
  );
}

/** Whether the extension is still the one that injected this script. */
function isConnected(): boolean {
  try {
    return (browser.runtime as { id?: string }).id !== undefined;
  } catch {
    return false;
  }
}
