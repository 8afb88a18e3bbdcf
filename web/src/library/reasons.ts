/** Why a page or an entry of a file could not be read, in the person's language. The server says it in English. */
import type { TFunction } from "../i18n/translate";

const PAGES = [
  ["The site's robots.txt", "robots"],
  ["The site shows a test", "captcha"],
  ["The site does not let", "blocked"],
  ["There is no page", "gone"],
  ["The site did not answer", "unreachable"],
  ["The site asks us", "throttled"],
  ["This address leads into", "private"],
  ["Fetching pages is switched off", "off"],
] as const;

const ENTRIES = [
  ["The address has no scheme", "noScheme"],
  ["There is no address", "noAddress"],
  ["Only links are imported", "onlyLinks"],
] as const;

/** A sentence that isn't known is shown as it came. The fact in brackets (a status, a limit) stays as it is. */
export function pageReason(reason: string, t: TFunction): string {
  const known = PAGES.find(([start]) => reason.startsWith(start));
  if (known === undefined) return reason;
  const fact = /\(([^()]+)\)$/.exec(reason)?.[0];
  const text = t(`library.reasons.${known[1]}`);
  return fact === undefined ? text : `${text} ${fact}`;
}

export function entryReason(reason: string, t: TFunction): string {
  const known = ENTRIES.find(([start]) => reason.startsWith(start));
  return known === undefined ? reason : t(`library.import.failures.${known[1]}`);
}
