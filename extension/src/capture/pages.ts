/** What may be said of a page. Excluded domains and whatever is no page of the web are never named. */
import type { Rules } from "./model";

export const MAX_URL = 8_000;

/** The address to send, or null where nothing may be said. Never with credentials or a fragment, which may hold secrets. */
export function speakable(url: string | undefined, rules: Rules): string | null {
  if (url === undefined || url === "" || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return null;
  if (isWithin(parsed.hostname, rules.excluded)) return null;
  if (rules.only !== null && !isWithin(parsed.hostname, rules.only)) return null;
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  return parsed.href.length > MAX_URL ? null : parsed.href;
}

/** Whether a host is one of the domains, or below one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

/** What somebody typed as a domain, in the form that hosts have; null where it is none. */
export function domainOf(typed: string): string | null {
  const bare = typed
    .trim()
    .replace(/^[a-z][a-z+.-]*:\/\//i, "")
    .replace(/^\*?\./, "");
  if (bare === "" || /\s/.test(bare) || !URL.canParse(`http://${bare}`)) return null;
  const name = new URL(`http://${bare}`).hostname.replace(/\.$/, "");
  return name === "" || name.includes("*") ? null : name;
}
