/** A look at the browser: its tabs and windows, as capture wants them. */
import { type Browser, browser } from "@wxt-dev/browser";
import { NO_WINDOW, type OpenTab, type Survey } from "../capture/model";

export async function look(isRestart: boolean, thresholdMs: number): Promise<Survey> {
  const [tabs, focusedWindowId, state] = await Promise.all([
    browser.tabs.query({}),
    focused(),
    browser.idle.queryState(Math.max(15, Math.round(thresholdMs / 1000))),
  ]);
  return {
    kind: "survey",
    t: Date.now(),
    tabs: tabs.flatMap(describe),
    focusedWindowId,
    isRestart,
    presence: { state, thresholdMs },
  };
}

/** Tabs whose pages may have something to say that nobody has heard: those that were in front not long ago. */
export async function recentTabs(withinMs: number): Promise<Browser.tabs.Tab[]> {
  const since = Date.now() - withinMs;
  const tabs = await browser.tabs.query({ discarded: false });
  return tabs.filter(({ lastAccessed = since }) => lastAccessed >= since);
}

function describe(tab: Browser.tabs.Tab): OpenTab[] {
  const { id, windowId, active, incognito, url, title } = tab;
  return id === undefined ? [] : [{ id, windowId, isActive: active, isPrivate: incognito, url, title }];
}

async function focused(): Promise<number> {
  try {
    const last = await browser.windows.getLastFocused();
    return last.focused && last.id !== undefined ? last.id : NO_WINDOW;
  } catch {
    return NO_WINDOW; // no window is open
  }
}
