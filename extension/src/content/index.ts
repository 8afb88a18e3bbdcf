/** Puts the page's script together: once per page, and only as long as the extension that put it there lives. */
import { browser } from "@wxt-dev/browser";
import type { PageOrder, PageSpeech, PageWord } from "../messages";
import * as keys from "../storage/keys";
import { isSamePage } from "./address";
import { drawIcon } from "./icon";
import { Marks } from "./marks";
import { Reader } from "./reader";
import { Voice } from "./voice";

const PLACED = Symbol.for("mindhit.placed");

export async function watchPage(): Promise<void> {
  const place = globalThis as { [PLACED]?: () => boolean };
  if (window.top !== window || place[PLACED]?.() === true) return;
  const life = new AbortController();
  // After an update the old script is cut off from the new extension, and a new one takes its place.
  place[PLACED] = () => isConnected() && !life.signal.aborted;

  const end = () => {
    life.abort();
    voice.stop();
    reader.stop();
    browser.runtime.onMessage.removeListener(obey);
  };
  const voice = new Voice(end);
  const say = (word: PageWord) => {
    if (life.signal.aborted) return;
    if (isConnected()) void voice.say(word);
    else end();
  };
  const reader = new Reader(document, say, drawIcon(document, life.signal));
  const marks = new Marks(document, say);
  const obey = (order: PageOrder, _sender: unknown, reply: (speech: PageSpeech) => void) => {
    const t = Date.now();
    if (order.kind === "mark") marks.mark(t);
    else if (order.kind === "moved") void reader.moved();
    else {
      reply(voice.tell(order.place));
      void voice.sayAgain();
    }
  };
  browser.runtime.onMessage.addListener(obey);
  void voice.hail();
  sayWhenShown(say, life.signal);
  sayWhenMoved(say, life.signal);
  marks.start((await keys.settings.get()).marksSelection, life.signal);
  await reader.start();
}

/** Say when the page comes to the front: the browser says so too, but not twice. */
function sayWhenShown(say: (word: PageWord) => void, signal: AbortSignal): void {
  const { timeOrigin } = performance;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const bornAt = Math.round(timeOrigin + (navigation?.responseStart ?? 0));
  const look = (isFirst: boolean) => {
    const t = Date.now();
    if (document.visibilityState === "visible")
      say({ kind: "shown", t, url: location.href, bornAt, isFirst });
  };
  document.addEventListener(
    "visibilitychange",
    () => {
      look(false);
    },
    { signal },
  );
  const born = navigation?.name ?? location.href;
  // Its script may have moved on before this one began. In a page that was there before the recording it is long past.
  const isMoved = !isSamePage(born, location.href) && document.readyState !== "complete";
  if (isMoved && document.visibilityState === "visible") {
    const t = Date.now();
    say({ kind: "shown", t, url: born, bornAt, isFirst: true });
    say({ kind: "moved", t, url: location.href });
  } else look(true);
}

/** Say when a script changes the address, where browsers let a page know. */
function sayWhenMoved(say: (word: PageWord) => void, signal: AbortSignal): void {
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener(
    "currententrychange",
    () => {
      say({ kind: "moved", t: Date.now(), url: location.href });
    },
    { signal },
  );
}

/** Whether the extension is still the one that this script came from. */
function isConnected(): boolean {
  try {
    return (browser.runtime as { id?: string }).id !== undefined;
  } catch {
    return false;
  }
}
