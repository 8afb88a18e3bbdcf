/**
 * The script in the pages. It is there only while something is recorded: registered for the sites that were allowed, and
 * put into the tabs that are open already.
 */
import { browser } from "@wxt-dev/browser";

const ID = "page";
const FILE = "/content-scripts/content.js";
const IS_ADDRESS = /^[\d.]+$|^\[/;

export const ALL_SITES = ["http://*/*", "https://*/*"];

/** The patterns for a domain and what is below it; by scheme, as the manifest's are: each has to be within one of those. */
export function patternsOf(domain: string): string[] {
  const hosts = IS_ADDRESS.test(domain) ? [domain] : [domain, `*.${domain}`];
  return hosts.flatMap((host) => [`http://${host}/*`, `https://${host}/*`]);
}

export function wantedOrigins(only: readonly string[] | null): string[] {
  return only === null ? ALL_SITES : only.flatMap(patternsOf);
}

export async function isPermitted(only: readonly string[] | null): Promise<boolean> {
  const origins = wantedOrigins(only);
  return origins.length > 0 && browser.permissions.contains({ permissions: ["webNavigation"], origins });
}

/** Called at every change of what is recorded, and after every start: an update of the extension forgets the script. */
export async function placeScripts(
  isOn: boolean,
  only: readonly string[] | null,
  excluded: readonly string[],
): Promise<void> {
  const known = await browser.scripting.getRegisteredContentScripts({ ids: [ID] });
  if (!isOn || !(await isPermitted(only))) {
    if (known.length > 0) await browser.scripting.unregisterContentScripts({ ids: [ID] });
    return;
  }
  const script = {
    id: ID,
    js: [FILE],
    matches: wantedOrigins(only),
    excludeMatches: excluded.flatMap(patternsOf),
    runAt: "document_idle" as const,
  };
  if (known.length > 0) await browser.scripting.updateContentScripts([script]);
  else await browser.scripting.registerContentScripts([script]);
}

/** Tabs that were open before do not get a registered script by themselves. */
export async function placeInOpenTabs(
  only: readonly string[] | null,
  isExcluded: (url: string) => boolean,
): Promise<void> {
  const tabs = await browser.tabs.query({ url: wantedOrigins(only) });
  const reachable = tabs.filter(({ url, discarded }) => url !== undefined && !discarded && !isExcluded(url));
  await Promise.allSettled(
    reachable.map(({ id }) =>
      browser.scripting.executeScript({ target: { tabId: id ?? -1 }, files: [FILE] }),
    ),
  );
}
