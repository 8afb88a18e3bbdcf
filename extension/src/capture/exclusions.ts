/** Which pages are recorded: web pages that no rule excludes. */
import { MAX_URL } from "@mindhit/client";

/** Domains include their subdomains. */
export interface Rules {
  /** Domains that are never recorded. */
  readonly excluded: readonly string[];
  /** Only these domains are recorded; null: all. */
  readonly only: readonly string[] | null;
}

/** The URL to send, without credentials and fragment, which may hold secrets; null if the page must not be recorded. */
export function recordableUrl(url: string | undefined, rules: Rules): string | null {
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

/** Whether a host is one of the domains or a subdomain of one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

/** A typed domain in the form hosts have in URLs; null if it isn't one. */
export function parseDomain(typed: string): string | null {
  const bare = typed
    .trim()
    .replace(/^[a-z][a-z+.-]*:\/\//i, "")
    .replace(/^\*?\./, "");
  if (bare === "" || /\s/.test(bare) || !URL.canParse(`http://${bare}`)) return null;
  const name = new URL(`http://${bare}`).hostname.replace(/\.$/, "");
  return name === "" || name.includes("*") ? null : name;
}
