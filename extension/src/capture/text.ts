/** Limits on text, and cutting to them without leaving an unpaired surrogate. */

export const MAX_TITLE = 500;
export const MAX_HIGHLIGHT = 5_000;
export const MAX_CONTENT = 10_000;
const MAX_META = 2_000;
/** How an icon that is embedded as a data URL starts, and how long it may be. */
export const ICON_PREFIX = "data:image/png;base64,";
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
      kept[name] = cut(text, text.startsWith(ICON_PREFIX) ? MAX_ICON : MAX_META);
  }
  return kept;
}
