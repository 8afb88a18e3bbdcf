/** Text that can be sent: of a bounded length, and without halves of surrogate pairs, even where it was cut. */

export const MAX_TITLE = 500;
export const MAX_HIGHLIGHT = 5_000;
export const MAX_CONTENT = 10_000;
const MAX_META = 2_000;
/** How the address of an icon begins that is a picture in itself, and how long it may be. */
export const ICON = "data:image/png;base64,";
export const MAX_ICON = 4_000;

export function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

/** Runs of white space become one space. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A record's texts, each cut; empty ones are left out. */
export function cutAll<K extends string>(texts: Readonly<Partial<Record<K, string | null | undefined>>>) {
  const kept: Partial<Record<K, string>> = {};
  for (const name of Object.keys(texts) as K[]) {
    const text = texts[name];
    if (typeof text === "string" && text !== "")
      kept[name] = cut(text, text.startsWith(ICON) ? MAX_ICON : MAX_META);
  }
  return kept;
}
