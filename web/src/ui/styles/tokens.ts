/** Design tokens for scripts: canvases, and lists whose rows are placed by hand. The values are those of tokens.css. */
import type { Tint } from "../domain-colors";
import css from "./tokens.css?raw";

const values = new Map(
  [...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value.trim()]),
);

/** A size in CSS pixels, of a token such as `--strip-height: 92px`. */
export function size(name: string): number {
  const px = /^([\d.]+)px$/.exec(valueOf(name))?.[1];
  if (px === undefined) throw new Error(`--${name} of tokens.css is no size in px`);
  return Number(px);
}

const PLAIN: Tint = { hue: 0, lift: 0 };
type Tinted = Map<Tint, string>;
const colors = { light: new Map<string, Tinted>(), dark: new Map<string, Tinted>() } as const;

/**
 * A colour that a canvas understands, of a token such as `--strip-idle`; for `--site…`, in the tint of a domain. Kept for
 * each tint, of which `tintOf` gives a domain the same one every time.
 */
export function color(name: string, isDark: boolean, tint: Tint = PLAIN): string {
  const known = colors[isDark ? "dark" : "light"].get(name)?.get(tint);
  if (known !== undefined) return known;
  const [light, dark] = bothOf(valueOf(name));
  const found = withTint(isDark ? dark : light, tint);
  keep(colors[isDark ? "dark" : "light"], name, tint, found);
  return found;
}

function keep(byName: Map<string, Tinted>, name: string, tint: Tint, found: string): void {
  const byTint = byName.get(name) ?? new Map<Tint, string>();
  byName.set(name, byTint.set(tint, found));
}

function valueOf(name: string): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`tokens.css has no --${name}`);
  return value;
}

/** The arguments of light-dark(); both the same where there is only one colour. */
function bothOf(value: string): readonly [light: string, dark: string] {
  const inside = /^light-dark\((.*)\)$/s.exec(value)?.[1];
  if (inside === undefined) return [value, value];
  let depth = 0;
  const comma = Array.from(inside).findIndex((letter) => {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    return letter === "," && depth === 0;
  });
  return [inside.slice(0, comma).trim(), inside.slice(comma + 1).trim()];
}

/** Canvases know no variables, and not every one does sums. */
function withTint(value: string, { hue, lift }: Tint): string {
  return value
    .replaceAll("var(--hue)", String(hue))
    .replace(/calc\((\d+)% \+ var\(--lift\)\)/, (_, lightness: string) => `${Number(lightness) + lift}%`);
}

/** A media query of tokens.css: `@custom-media --phone (…)`. */
export function mediaQuery(name: string): string {
  const query = new RegExp(`@custom-media --${name} ([^;]+);`).exec(css)?.[1];
  if (query === undefined) throw new Error(`tokens.css has no media query --${name}`);
  return query;
}
