/**
 * A journal of what has happened and is not stored yet. The listener writes it in its first turn, before the database is
 * open: the browser has it then, and a worker that is stopped a moment later leaves it to the next one. It ends with the
 * browser, as all that it speaks of does. Words of pages stand beside it: the pages put them there themselves (`stash`).
 *
 * Of switches and commits in ordinary pages both tell, and either alone would do. What the browser alone says is in the
 * journal only: tabs that are closed, the focus, whoever goes away, pages without a script of ours. What a page alone says,
 * a text or a highlight, is with the page only until it is heard, and in the stash when the page is gone before.
 */
import { browser } from "@wxt-dev/browser";
import { type Happening, NO_TAB } from "../capture/model";
import type { Told } from "../capture/order";
import { isWord } from "../capture/words";
import { type PageMessage, type Place, STASH, type Stashed } from "../messages";

const PREFIX = "happening ";
const UNKNOWN: Place = { tabId: NO_TAB, windowId: NO_TAB };

export class Journal {
  private readonly life = crypto.randomUUID();
  private count = 0;

  /** Under a key that sorts by time. */
  note(happening: Happening): string {
    this.count += 1;
    const key = `${PREFIX}${Date.now()} ${String(this.count).padStart(6, "0")} ${this.life}`;
    browser.storage.session.set({ [key]: happening }).catch(() => undefined);
    return key;
  }

  /** They are stored, or not wanted. Returns when the browser has struck them out. */
  async strike(...told: readonly Told[]): Promise<void> {
    const keys = told.flatMap(({ key }) => key ?? []);
    const words = told.flatMap(({ happening }) => (isWord(happening) ? STASH + happening.message : []));
    await Promise.allSettled([
      ...(keys.length > 0 ? [browser.storage.session.remove(keys)] : []),
      ...(words.length > 0 ? [browser.storage.local.remove(words)] : []),
    ]);
  }

  /** What earlier lives have left, oldest first; and what pages have said, whether or not they are still there. */
  async left(): Promise<Told[]> {
    const [noted, kept] = await Promise.all([
      browser.storage.session.get(null),
      browser.storage.local.get(null),
    ]);
    const left = Object.keys(noted)
      .filter((key) => key.startsWith(PREFIX) && !key.endsWith(this.life))
      .sort()
      .map((key) => ({ key, happening: noted[key] as Happening }));
    const words = Object.keys(kept)
      .filter((key) => key.startsWith(STASH))
      .map((key) => kept[key] as Stashed)
      .map(({ word, place }) => ({ happening: happeningOf(word, place ?? UNKNOWN, false) }))
      .sort((one, other) => one.happening.t - other.happening.t);
    return [...left, ...words];
  }
}

export function happeningOf(word: PageMessage, { tabId, windowId }: Place, isActive: boolean): Happening {
  return word.kind === "shown" ? { ...word, tabId, windowId, isActive } : { ...word, tabId };
}
