/**
 * Paints what the reader highlighted on a page before. By the CSS Custom Highlight API: the page's DOM is not touched, and
 * its own scripts see nothing of it but the name of the highlight.
 */
import { browser } from "@wxt-dev/browser";
import type { HighlightsReply, HighlightsWanted } from "../messages";
import { untilQuiet } from "./dom-quiet";
import { findTexts } from "./find-texts";
import { isSamePage } from "./same-page";
import { isSensitive } from "./sensitive-pages";

/** The name in `public/repaint.css`. */
const NAME = "mindhit";
const QUIET = { quietMs: 300, atMostMs: 3_000 } as const;

export async function repaintPage(): Promise<void> {
  if (window.top !== window || !("highlights" in CSS)) return;
  let last = new AbortController();
  let painted = location.href;
  const start = () => {
    last.abort();
    last = new AbortController();
    painted = location.href;
    return paint(document, last.signal);
  };
  // A script of the page has changed the address: it may be another page now.
  (window as { navigation?: EventTarget }).navigation?.addEventListener("currententrychange", () => {
    if (!isSamePage(painted, location.href)) void start().catch(stopQuietly);
  });
  await start().catch(stopQuietly);
}

async function paint(page: Document, signal: AbortSignal): Promise<void> {
  CSS.highlights.delete(NAME);
  if (isSensitive(page)) return;
  const wanted: HighlightsWanted = { wants: "highlights", url: page.location.href };
  const reply: HighlightsReply | undefined = await browser.runtime.sendMessage(wanted);
  const texts = reply?.texts ?? [];
  // What comes later, or is drawn again by a script of the page, is painted when the page has settled.
  while (texts.length > 0) {
    await untilQuiet(page, QUIET, signal);
    if (signal.aborted) return;
    const found = findTexts(page, texts).filter((range) => range !== null);
    CSS.highlights.set(NAME, new Highlight(...found));
    await untilChanged(page, signal);
  }
}

function untilChanged(page: Document, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const observer = new MutationObserver(end);
    signal.addEventListener("abort", end);
    observer.observe(page.body, { childList: true, subtree: true, characterData: true });
  });
}

/** The extension was updated or removed meanwhile: there is nobody to ask any more. */
function stopQuietly(): void {
  CSS.highlights.delete(NAME);
}
