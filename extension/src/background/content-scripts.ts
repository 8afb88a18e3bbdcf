/**
 * The content script. It is in pages only while something is being recorded: registered for the permitted sites, and
 * injected into the tabs that are already open.
 */
import { browser } from "@wxt-dev/browser";
import { isPermitted, matchPatterns, neededOrigins } from "../permissions";

const ID = "page";
const FILE = "/content-scripts/content.js";

/** Called at every change of what is recorded, and after every start: an update of the extension drops registrations. */
export async function registerContentScript(
  isRecording: boolean,
  only: readonly string[] | null,
  excluded: readonly string[],
): Promise<void> {
  const registered = await browser.scripting.getRegisteredContentScripts({ ids: [ID] });
  if (!isRecording || !(await isPermitted(only))) {
    if (registered.length > 0) await browser.scripting.unregisterContentScripts({ ids: [ID] });
    return;
  }
  const script = {
    id: ID,
    js: [FILE],
    matches: neededOrigins(only),
    excludeMatches: excluded.flatMap(matchPatterns),
    runAt: "document_idle" as const,
  };
  if (registered.length > 0) await browser.scripting.updateContentScripts([script]);
  else await browser.scripting.registerContentScripts([script]);
}

/** Tabs that were already open do not get a registered script by themselves. */
export async function injectIntoOpenTabs(
  only: readonly string[] | null,
  isExcluded: (url: string) => boolean,
): Promise<void> {
  const tabs = await browser.tabs.query({ url: neededOrigins(only) });
  const reachable = tabs.filter(({ url, discarded }) => url !== undefined && !discarded && !isExcluded(url));
  await Promise.allSettled(
    reachable.map(({ id }) =>
      browser.scripting.executeScript({ target: { tabId: id ?? -1 }, files: [FILE] }),
    ),
  );
}
