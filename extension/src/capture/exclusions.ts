/** Which pages are recorded: web pages that no rule excludes. */
import { MAX_URL } from "@mindhit/client";

/** Domains include their subdomains. */
export interface Rules {
  /** Domains that are never recorded. */
  readonly excluded: readonly string[];
  /** Only these domains are recorded; null: all. */
  readonly only: readonly string[] | null;
  /** The connected server, whose own pages are not recorded; absent if they are. */
  readonly ownServer?: string | undefined;
  /** The user has paused: no page is recorded. */
  readonly isPaused?: boolean;
}

/** Why a page is not recorded, in the order in which the rules apply. */
export type Refusal = "paused" | "not-web" | "own-server" | "excluded" | "not-listed" | "too-long";

/** Fragments that are routes of an application; any other is a position in the page, or may hold a secret. */
const ROUTE = /^#[/!]/;
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The URL to send, without credentials and without fragments that are not routes; null if the page must not be recorded. */
export function recordableUrl(url: string | undefined, rules: Rules): string | null {
  const judged = judge(url, rules);
  return "url" in judged ? judged.url : null;
}

export function judge(
  url: string | undefined,
  rules: Rules,
): { readonly url: string } | { readonly refusal: Refusal } {
  if (rules.isPaused) return { refusal: "paused" };
  if (url === undefined || url === "" || !URL.canParse(url)) return { refusal: "not-web" };
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return { refusal: "not-web" };
  if (rules.ownServer !== undefined && isOwnServer(parsed, rules.ownServer)) return { refusal: "own-server" };
  if (isWithin(parsed.hostname, rules.excluded)) return { refusal: "excluded" };
  if (rules.only !== null && !isWithin(parsed.hostname, rules.only)) return { refusal: "not-listed" };
  parsed.username = "";
  parsed.password = "";
  if (!ROUTE.test(parsed.hash)) parsed.hash = "";
  return parsed.href.length > MAX_URL ? { refusal: "too-long" } : { url: parsed.href };
}

/** Whether credentials are taken out of a URL before it is sent: nobody else may fetch that page. */
export function hasCredentials(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** Whether a page belongs to the server. On this machine it has several names. */
export function isOwnServer(page: URL, server: string): boolean {
  if (page.origin === server) return true;
  const own = new URL(server);
  const isHere = LOOPBACK.test(page.hostname) && LOOPBACK.test(own.hostname);
  return isHere && page.port === own.port && page.protocol === own.protocol;
}

/** Whether a host is one of the domains or a subdomain of one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return matchingDomain(host, domains) !== undefined;
}

/** The entry of a list that a host falls under. */
export function matchingDomain(host: string, domains: readonly string[]): string | undefined {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  return domains.find((domain) => name === domain || name.endsWith(`.${domain}`));
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

/** The domain that "never record this site" excludes: the host, without a leading `www.`. */
export function siteOf(url: string): string {
  const name = new URL(url).hostname.replace(/\.$/, "");
  const bare = name.replace(/^www\./, "");
  return bare.includes(".") ? bare : name;
}
