/**
 * Highlights: text that stays selected for a moment, or is marked by the key or in the menu. Never what is typed into a
 * field, and nothing of a page from which no text is taken.
 */
import { collapse, cut, MAX_HIGHLIGHT } from "../capture/text";
import type { PageWord } from "../messages";
import { isSamePage } from "./address";
import { isSensitive } from "./sensitive";

const STANDS_MS = 1_000;
const SHORTEST = 8;

export class Marks {
  private readonly page: Document;
  private readonly say: (message: PageWord) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last: { readonly url: string; readonly text: string } | null = null;

  constructor(page: Document, say: (message: PageWord) => void) {
    this.page = page;
    this.say = say;
  }

  start(isAutomatic: boolean, signal: AbortSignal): void {
    if (!isAutomatic) return;
    const wait = () => {
      const t = Date.now();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.mark(t, SHORTEST);
      }, STANDS_MS);
    };
    this.page.addEventListener("selectionchange", wait, { signal });
  }

  /** Mark what is selected, if it is a text of the page. */
  mark(t: number, shortest = 1): void {
    const text = selected(this.page);
    const url = this.page.location.href;
    if (text.length < shortest || this.isMarked(url, text) || isSensitive(this.page)) return;
    this.last = { url, text };
    this.say({ kind: "highlight", t, url, text });
  }

  /** The same words of another route are another highlight. */
  private isMarked(url: string, text: string): boolean {
    return this.last !== null && this.last.text === text && isSamePage(this.last.url, url);
  }
}

export function selected(page: Document): string {
  const selection = page.getSelection();
  if (selection === null || selection.isCollapsed) return "";
  const node = selection.anchorNode;
  const element = node instanceof HTMLElement ? node : node?.parentElement;
  if (element?.closest("input, textarea, [contenteditable]:not([contenteditable='false'])")) return "";
  return cut(collapse(selection.toString()), MAX_HIGHLIGHT);
}
