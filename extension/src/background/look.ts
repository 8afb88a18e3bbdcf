/** A look at the browser: its tabs and windows, as capture wants them. */
import { type Browser, browser } from "@wxt-dev/browser";
import { NO_WINDOW, type OpenTab, type Survey } from "../capture/model";

export async function look(isRestart: boolean): Promise<Survey> {
  const [tabs, focusedWindowId] = await Promise.all([browser.tabs.query({}), focused()]);
  return { kind: "survey", t: Date.now(), tabs: tabs.flatMap(describe), focusedWindowId, isRestart };
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
