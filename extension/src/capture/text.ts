/** Cuts texts to the event protocol's limits, without leaving an unpaired surrogate. */
import { ICON_PREFIX, MAX_ICON, MAX_META } from "@mindhit/client";

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
