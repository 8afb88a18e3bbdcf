/**
 * A colour for every domain: the same one wherever it is met, unless a busier domain of the same picture has it.
 * A hue only; how light and how strong it is, the theme decides (`.tinted` in sessions.css, `drawing.ts` for canvases).
 */

const SLOTS = 12;

/** Of the domains of one picture, the most important first. */
export function huesOf(domains: readonly string[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  const taken = new Set<number>();
  for (const domain of domains) {
    if (hues.has(domain)) continue;
    let slot = slotOf(domain);
    // Steps of five visit all twelve, and lead far away at once.
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
  let sum = 2166136261;
  for (const letter of domain) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16777619);
  return ((sum >>> 8) ^ (sum >>> 20)) % SLOTS;
}

/** Yellow is brown where it is as dark as blue: by how much, in percent, a hue is lighter than others. */
export function liftOf(hue: number): number {
  return hue > 50 && hue < 125 ? 9 : 0;
}

/** What stands for a domain where there is no picture: its first letter, without the parts that all have. */
export function letterOf(domain: string): string {
  const name = domain.replace(/^(www|m|en|ko|docs?|blog|news)\.(?=[^.]+\.)/, "");
  return (Array.from(name)[0] ?? "?").toUpperCase();
}
