/**
 * A colour for every domain, by its name alone: the same one in every chart, list and session, whatever else is shown.
 * This picks the hue and one of two depths; lightness and strength are design tokens (`--site…` in styles/tokens.css).
 */
import type { CSSProperties } from "react";

export interface Tint {
  readonly hue: number;
  /** Added to the lightness, in percent. */
  readonly lift: number;
}

/** Further apart than neighbours in a chart need to be told apart. */
const HUES = 15;
const DEEPER = -13;
/** Yellow as dark as blue would be brown. */
const YELLOW = { from: 50, to: 125, lift: 9 } as const;

const tints = new Map<string, Tint>();

/** Kept: a strip of thousands of visits has some dozens of domains. */
export function tintOf(domain: string): Tint {
  const known = tints.get(domain);
  if (known) return known;
  const made = tintBy(domain);
  tints.set(domain, made);
  return made;
}

function tintBy(domain: string): Tint {
  const hash = hashOf(domain);
  const hue = (hash % HUES) * (360 / HUES) + 15;
  const isYellow = hue > YELLOW.from && hue < YELLOW.to;
  const isDeep = Math.floor(hash / HUES) % 2 === 1;
  return { hue, lift: (isYellow ? YELLOW.lift : 0) + (isDeep ? DEEPER : 0) };
}

/** FNV-1a, with its bits mixed: names that differ in one letter are far apart. */
function hashOf(domain: string): number {
  let hash = 2166136261;
  for (const letter of domain) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Gives an element the colour tokens of a domain. */
export function tinted(domain: string): { readonly style: CSSProperties; readonly "data-tinted": true } {
  const { hue, lift } = tintOf(domain);
  return { style: { "--hue": hue, "--lift": `${lift}%` } as CSSProperties, "data-tinted": true };
}

/** The first letter of a domain's own name, without the prefixes that many have. */
export function letterOf(domain: string): string {
  const name = domain.replace(/^(www|m|en|ko|docs?|blog|news)\.(?=[^.]+\.)/, "");
  return (Array.from(name)[0] ?? "?").toUpperCase();
}
