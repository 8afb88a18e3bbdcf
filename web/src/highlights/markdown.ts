/** Highlights as Markdown: a quote, the note, and where it is from. Pure. */
import type { Highlight } from "./api";
import { addressAt } from "./text-fragment";

export function markdownOf(highlights: readonly Highlight[], dayOf: (at: string) => string): string {
  return highlights.map((each) => oneOf(each, dayOf)).join("\n\n---\n\n") + "\n";
}

function oneOf({ text, note, title, url, created_at }: Highlight, dayOf: (at: string) => string): string {
  const quote = linesOf(text).map((line) => `> ${line}`.trimEnd());
  const name = title === null || title.trim() === "" ? url : title.trim();
  const source = `— [${escaped(name)}](<${hrefOf(addressAt(url, text))}>), ${dayOf(created_at)}`;
  return [quote.join("\n"), ...(note === null ? [] : [linesOf(note).join("\n")]), source].join("\n\n");
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => escaped(line));
}

/** Nothing that a page wrote becomes markup. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#|~]/g, "\\$&")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** Inside of `<…>`. */
function hrefOf(url: string): string {
  return url.replace(/[<>\s\\]/g, (sign) => encodeURIComponent(sign));
}
