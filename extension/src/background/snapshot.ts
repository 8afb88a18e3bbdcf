/** Takes a snapshot of the browser: tabs, focused window, and whether the user is idle. */
import { NO_WINDOW } from "@mindhit/client";
import { type Browser, browser } from "@wxt-dev/browser";
import type { OpenTab, Snapshot } from "../capture/observations";
import { detectionIntervalS } from "../idle";

export async function takeSnapshot(isRestart: boolean, thresholdMs: number): Promise<Snapshot> {
  const [tabs, focusedWindowId, state] = await Promise.all([
    browser.tabs.query({}),
    focusedWindow(),
    browser.idle.queryState(detectionIntervalS(thresholdMs / 1000)),
  ]);
  return {
    kind: "snapshot",
    t: Date.now(),
    tabs: tabs.flatMap(describe),
    focusedWindowId,
    isRestart,
    presence: { state, thresholdMs },
  };
}

function describe(tab: Browser.tabs.Tab): OpenTab[] {
  const { id, windowId, active, incognito, url, title } = tab;
  return id === undefined ? [] : [{ id, windowId, isActive: active, isPrivate: incognito, url, title }];
}

async function focusedWindow(): Promise<number> {
  try {
    const last = await browser.windows.getLastFocused();
    return last.focused && last.id !== undefined ? last.id : NO_WINDOW;
  } catch {
    return NO_WINDOW; // no window is open
  }
}
