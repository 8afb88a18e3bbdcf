/** What a page's script says is named for the script and numbered: `script 1`, `script 2`. */
import type { Extracted, Happening, Highlighted, Moved, Shown } from "./model";

export type Word = Shown | Moved | Highlighted | Extracted;

export interface Name {
  readonly script: string;
  readonly number: number;
}

export function nameOf(message: string): Name {
  const [script = "", number] = message.split(" ");
  return { script, number: Number(number ?? 0) };
}

/** Whether a word was heard, when the last that was heard of its tab is known. */
export function isHeard(last: string | undefined, message: string): boolean {
  const [before, now] = [nameOf(last ?? ""), nameOf(message)];
  return before.script === now.script && now.number <= before.number;
}

/** Whether a page says it, and goes on saying it. */
export function isWord(happening: Happening): happening is Word & { readonly message: string } {
  return "message" in happening && happening.message !== undefined;
}

/** Whether a page says that it has just come to the front. */
export function isTurn(happening: Happening): happening is Shown {
  return happening.kind === "shown" && !happening.isFirst;
}
