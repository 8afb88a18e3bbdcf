/**
 * The content scripts. The one that reads pages is in them only while something is being recorded: registered for the
 * permitted sites, and injected into the tabs that are already open. The one that paints highlights is there if that is
 * turned on.
 */
import { browser } from "@wxt-dev/browser";
import { isPermitted, matchPatterns, neededOrigins } from "../permissions";

const FILE = "/content-scripts/content.js";
type Script = "page" | "repaint";
const FILES: Readonly<Record<Script, { js: string[]; css?: string[] }>> = {
  page: { js: [FILE] },
  repaint: { js: ["/content-scripts/repaint.js"], css: ["/repaint.css"] },
};

/** Called at every change of what is recorded, and after every start: an update of the extension drops registrations. */
export async function registerContentScript(
  id: Script,
  isWanted: boolean,
  only: readonly string[] | null,
  excluded: readonly string[],
): Promise<void> {
  const registered = await browser.scripting.getRegisteredContentScripts({ ids: [id] });
  if (!isWanted || !(await isPermitted(only))) {
    if (registered.length > 0) await browser.scripting.unregisterContentScripts({ ids: [id] });
    return;
  }
  const script = {
    id,
    ...FILES[id],
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
