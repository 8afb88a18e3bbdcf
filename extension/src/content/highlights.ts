/**
 * Highlights: text that stays selected for a moment, or is highlighted by the keyboard shortcut or the context menu. Never
 * what is typed into a field, and nothing from a sensitive page.
 */
import { MAX_HIGHLIGHT } from "@mindhit/client";
import { collapse, cut } from "../capture/text";
import type { PageReport } from "../messages";
import { isSamePage } from "./same-page";
import { isSensitive } from "./sensitive-pages";

/** How long a selection has to stand, and how long its text has to be, to become a highlight by itself. */
const SELECTED_FOR_MS = 1_000;
const SHORTEST_SELECTION = 8;

export class Highlights {
  private readonly page: Document;
  private readonly report: (report: PageReport) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last: { readonly url: string; readonly text: string } | null = null;

  constructor(page: Document, report: (report: PageReport) => void) {
    this.page = page;
    this.report = report;
  }

  /** Highlight what stays selected, from now on. */
  watchSelection(signal: AbortSignal): void {
    const wait = () => {
      const t = Date.now();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.highlight(t, SHORTEST_SELECTION);
      }, SELECTED_FOR_MS);
    };
    this.page.addEventListener("selectionchange", wait, { signal });
  }

  /** Highlight the selected text. Whether there was any that may be. */
  highlight(t: number, shortest = 1): boolean {
    const text = selectedText(this.page);
    const url = this.page.location.href;
    if (text.length < shortest || isSensitive(this.page)) return false;
    if (this.isRepeated(url, text)) return true;
    this.last = { url, text };
    this.report({ kind: "highlight", t, url, text });
    return true;
  }

  /** The same text on another route is another highlight. */
  private isRepeated(url: string, text: string): boolean {
    return this.last !== null && this.last.text === text && isSamePage(this.last.url, url);
  }
}

export function selectedText(page: Document): string {
  const selection = page.getSelection();
  if (selection === null || selection.isCollapsed) return "";
  const node = selection.anchorNode;
  const element = node instanceof HTMLElement ? node : node?.parentElement;
  if (element?.closest("input, textarea, [contenteditable]:not([contenteditable='false'])")) return "";
  return cut(collapse(selection.toString()), MAX_HIGHLIGHT);
}
