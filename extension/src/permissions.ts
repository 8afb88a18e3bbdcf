/** The permissions that recording needs. None is required at install; the setup page asks for them. */
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
