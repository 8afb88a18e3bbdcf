/** The permissions that recording and notifications need. None is required at install; setup and options ask for them. */
import { browser } from "@wxt-dev/browser";

const ALL_SITES = ["http://*/*", "https://*/*"];
const IP_ADDRESS = /^[\d.]+$|^\[/;

/**
 * The match patterns for a domain and its subdomains; one per scheme, because each has to be covered by one of the
 * manifest's optional host permissions.
 */
export function matchPatterns(domain: string): string[] {
  const hosts = IP_ADDRESS.test(domain) ? [domain] : [domain, `*.${domain}`];
  return hosts.flatMap((host) => [`http://${host}/*`, `https://${host}/*`]);
}

export function neededOrigins(only: readonly string[] | null): string[] {
  return only === null ? ALL_SITES : only.flatMap(matchPatterns);
}

export async function isPermitted(only: readonly string[] | null): Promise<boolean> {
  const origins = neededOrigins(only);
  return origins.length > 0 && browser.permissions.contains({ permissions: ["webNavigation"], origins });
}

/** Ask for the permission to show notifications, or give it back. Whether what was wanted is so now. */
export async function allowNotices(isWanted: boolean): Promise<boolean> {
  const permissions: ["notifications"] = ["notifications"];
  if (isWanted) return browser.permissions.request({ permissions });
  await browser.permissions.remove({ permissions });
  return true;
}
