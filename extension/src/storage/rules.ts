/** Which pages are recorded at present, from everything that has a say in it. */
import { isPaused } from "../automatic/pauses";
import type { Rules } from "../capture/exclusions";
import * as keys from "./keys";
import type { Settings } from "./settings";

export async function currentRules(now: number): Promise<Rules> {
  const [settings, account, pause, excluded] = await Promise.all([
    keys.settings.get(),
    keys.account.get(),
    keys.pause.get(),
    excludedDomains(),
  ]);
  return {
    excluded,
    only: settings.only,
    isPaused: isPaused(pause, now),
    ownServer: ownServer(settings, account),
  };
}

/** The server whose pages are not recorded. */
export function ownServer(
  { recordsOwnServer }: Settings,
  account: { readonly server: string } | null,
): string | undefined {
  return recordsOwnServer ? undefined : account?.server;
}

/** The account's list with the changes that the server doesn't know yet. */
export async function excludedDomains(): Promise<readonly string[]> {
  const [{ excluded }, ofAccount, changes] = await Promise.all([
    keys.settings.get(),
    keys.accountExcluded.get(),
    keys.exclusionChanges.get(),
  ]);
  const added = Object.keys(changes).filter((domain) => changes[domain] === "add");
  const all = new Set([...excluded, ...ofAccount, ...added]);
  return [...all].filter((domain) => changes[domain] !== "remove").sort();
}
