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

/** Of so many scripts it is remembered what they said last: what is left of their words comes back before as many others. */
export const SCRIPTS_KEPT = 64;

/** Whether a word was heard, when the last that was heard of each script is known. */
export function isHeard(last: readonly string[], message: string): boolean {
  const now = nameOf(message);
  return last.map(nameOf).some(({ script, number }) => script === now.script && now.number <= number);
}

/** The same with one word more. */
export function heardNow(last: readonly string[], message: string): readonly string[] {
  const { script } = nameOf(message);
  return [...last.filter((each) => nameOf(each).script !== script), message].slice(-SCRIPTS_KEPT);
}

/** Whether a page says it, and goes on saying it. */
export function isWord(happening: Happening): happening is Word & { readonly message: string } {
  return "message" in happening && happening.message !== undefined;
}

/** Whether a page says that it has just come to the front. */
export function isTurn(happening: Happening): happening is Shown {
  return happening.kind === "shown" && !happening.isFirst;
}
