/** Why a page could not be fetched or read, in the person's language. The server says it in English. */
import type { TFunction } from "../i18n/translate";

const KNOWN = [
  [/^The site's robots\.txt/, "robots"],
  [/^The site shows a test|another kind: captcha/, "captcha"],
  [/another kind: login/, "login"],
  [/^There is no page|another kind: not found/, "gone"],
  [/^The site does not let/, "blocked"],
  [/^The site did not answer/, "unreachable"],
  [/^The site asks us/, "throttled"],
  [/^This address leads into/, "private"],
  [/^Fetching pages is switched off/, "off"],
  [/^The site's plug-in/, "unreadable"],
  [/^layout:/, "layout"],
  [/ of the same run /, "incomplete"],
  [/^its message was lost/, "lost"],
  [/^could not be published/, "unsent"],
] as const;

/** One that isn't known is shown as it came. Of the facts the site's status is kept: people search for it. */
export function reasonOf(error: string | null, t: TFunction): string {
  if (error === null) return t("shops.unknownReason");
  const known = KNOWN.find(([words]) => words.test(error));
  if (known === undefined) return error;
  const status = /the site answered (\d{3})/.exec(error)?.[1];
  const text = t(`shops.reasons.${known[1]}`);
  return status === undefined ? text : `${text} (HTTP ${status})`;
}
