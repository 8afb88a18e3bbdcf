/**
 * Keeps what a page has said where the next life of the worker finds it: a page that is left at once cannot repeat itself.
 * Whoever stores a word takes it out again.
 */
import { browser } from "@wxt-dev/browser";
import type { PageMessage, Place, Stashed } from "../messages";
import { STASH } from "../messages";

export function stash(word: PageMessage, place: Place | null): void {
  const kept: Stashed = { word, place };
  browser.storage.local.set({ [STASH + word.message]: kept }).catch(() => undefined);
}
