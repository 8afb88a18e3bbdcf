/** What was highlighted on a page, for its content script; asked for only where the page could be recorded as well. */
import { judge } from "../capture/exclusions";
import type { HttpServer } from "../outbox/http";
import * as keys from "../storage/keys";
import { currentRules } from "../storage/rules";

/** Whether pages are painted at all: it is turned on, and there is a server to ask. */
export async function isRepainting(): Promise<boolean> {
  const [{ paintsHighlights }, account] = await Promise.all([keys.settings.get(), keys.account.get()]);
  return paintsHighlights && account !== null && !account.isSignedOut;
}

export async function highlightsOn(
  server: HttpServer,
  url: string,
  tab: { readonly incognito: boolean },
): Promise<readonly string[]> {
  if (tab.incognito || !(await isRepainting())) return [];
  const judged = judge(url, await currentRules(Date.now()));
  if (!("url" in judged)) return [];
  const answer = await server.highlightsOn(judged.url);
  return answer.kind === "ok" ? answer.value : [];
}
