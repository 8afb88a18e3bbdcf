/** The page in the active tab: whether it is recorded, and why not. */
import { judge, matchingDomain, type Refusal, type Rules, siteOf } from "../../capture/exclusions";
import type { Status } from "../../messages";

/** As much of the active tab as the browser lets the popup see. */
export interface ActiveTab {
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly incognito: boolean;
}

export interface PageView {
  readonly title: string;
  /** The domain that can be excluded or forgotten; null if there is none. */
  readonly site: string | null;
  readonly is: "recorded" | "idle" | "private" | Refusal;
  /** The entry of the excluded list that the page falls under. */
  readonly excludedAs: string | null;
}

export function pageView(tab: ActiveTab, rules: Rules, { recording, pause }: Status): PageView {
  const { url, title } = tab;
  const judged = judge(url, { ...rules, isPaused: false });
  const isWeb = "url" in judged || judged.refusal !== "not-web";
  const site = url !== undefined && isWeb ? siteOf(url) : null;
  const excludedAs =
    site === null ? null : (matchingDomain(new URL(url ?? "").hostname, rules.excluded) ?? null);
  const view = { title: title ?? site ?? "", site, excludedAs };
  if (tab.incognito) return { ...view, is: "private" };
  if ("refusal" in judged) return { ...view, is: judged.refusal };
  if (pause !== null) return { ...view, is: "paused" };
  return { ...view, is: recording !== null && !recording.isInterrupted ? "recorded" : "idle" };
}
