/**
 * A colour for every domain: the same one everywhere, unless a busier domain of the same chart already has it.
 * This picks the hue; lightness and strength are design tokens (`--site…` in styles/tokens.css).
 */
import type { CSSProperties } from "react";

const SLOTS = 12;

/** For the domains of one chart, the most important first. */
export function huesOf(domains: readonly string[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  const taken = new Set<number>();
  for (const domain of domains) {
    if (hues.has(domain)) continue;
    let slot = slotOf(domain);
    // Steps of five reach all twelve slots, and are far apart at once.
    if (taken.size < SLOTS) while (taken.has(slot)) slot = (slot + 5) % SLOTS;
    taken.add(slot);
    hues.set(domain, slot * (360 / SLOTS) + 15);
  }
  return hues;
}

export function hueOf(domain: string): number {
  return slotOf(domain) * (360 / SLOTS) + 15;
}

function slotOf(domain: string): number {
  let hash = 2166136261;
  for (const letter of domain) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return ((hash >>> 8) ^ (hash >>> 20)) % SLOTS;
}

/** How much lighter a hue is than others, in percent: yellow as dark as blue would be brown. */
export function liftOf(hue: number): number {
  return hue > 50 && hue < 125 ? 9 : 0;
}

/** Gives an element the colour tokens of a domain. */
export function tinted(hue: number): { readonly style: CSSProperties; readonly "data-tinted": true } {
  return { style: { "--hue": hue, "--lift": `${liftOf(hue)}%` } as CSSProperties, "data-tinted": true };
}

/** The first letter of a domain's own name, without the prefixes that many have. */
export function letterOf(domain: string): string {
  const name = domain.replace(/^(www|m|en|ko|docs?|blog|news)\.(?=[^.]+\.)/, "");
  return (Array.from(name)[0] ?? "?").toUpperCase();
}
