/**
 * The browser's events, told to the recorder. Registered in the first turn of the worker, or the browser would not wake it
 * for them; the time of each is taken before anything is waited for.
 */
import { browser } from "@wxt-dev/browser";
import { type Happening, NO_TAB } from "../capture/model";
import type { PageMessage, PageOrder, PageSpeech } from "../messages";
import { happeningOf } from "./journal";
import { recentTabs } from "./look";
import type { Recorder } from "./recorder";

export function listen(recorder: Recorder): void {
  const { tabs, windows, idle } = browser;
  tabs.onCreated.addListener(({ id, windowId, incognito, openerTabId }) => {
    const t = Date.now();
    if (id !== undefined)
      tell({ kind: "created", t, tabId: id, windowId, isPrivate: incognito, openerTabId });
  });
  tabs.onActivated.addListener(({ tabId, windowId }) => {
    tell({ kind: "activated", t: Date.now(), tabId, windowId });
  });
  tabs.onUpdated.addListener((tabId, { status, title }, tab) => {
    const t = Date.now();
    if (status === "complete") tell({ kind: "settled", t, tabId, url: tab.url, title: tab.title });
    else if (title !== undefined) tell({ kind: "settled", t, tabId, title });
  });
  tabs.onAttached.addListener((tabId, { newWindowId }) => {
    tell({ kind: "attached", t: Date.now(), tabId, windowId: newWindowId });
  });
  // Only browsers that render pages in advance have it.
  (tabs as Partial<typeof tabs>).onReplaced?.addListener((tabId, removedTabId) => {
    tell({ kind: "replaced", t: Date.now(), tabId, removedTabId });
  });
  tabs.onRemoved.addListener((tabId) => {
    tell({ kind: "removed", t: Date.now(), tabId });
  });
  windows.onFocusChanged.addListener((windowId) => {
    tell({ kind: "focused", t: Date.now(), windowId });
  });
  idle.onStateChanged.addListener((state) => {
    void recorder.tellIdle(Date.now(), state);
  });

  function tell(happening: Parameters<Recorder["tell"]>[0]): void {
    void recorder.tell(happening);
  }
}

type Committed = Parameters<Parameters<typeof browser.webNavigation.onCommitted.addListener>[0]>[0];

/** Navigation can be listened to once the reader has allowed it; asked for again and again, it is done once. */
export function listenToNavigation(recorder: Recorder): void {
  const navigation = browser.webNavigation as typeof browser.webNavigation | undefined;
  if (navigation === undefined || known.has(recorder)) return;
  known.add(recorder);
  const tell = (details: Committed, isSameDocument: boolean) => {
    const { frameId, tabId, url, transitionType, transitionQualifiers, documentLifecycle, timeStamp } =
      details;
    // A page that is rendered in advance is not shown yet, and perhaps never will be.
    if (frameId !== 0 || documentLifecycle === "prerender") return;
    const stored = recorder.tell({
      kind: "committed",
      t: Math.floor(timeStamp),
      tabId,
      url,
      isSameDocument,
      transition: transitionType,
      qualifiers: transitionQualifiers,
    });
    if (isSameDocument)
      void stored.then(() => {
        if (recorder.isOn) order(tabId, { kind: "moved" });
      });
  };
  navigation.onCommitted.addListener((details) => {
    tell(details, false);
  });
  navigation.onHistoryStateUpdated.addListener((details) => {
    tell(details, true);
  });
}

const known = new WeakSet<Recorder>();

export function order(tabId: number, what: PageOrder): void {
  browser.tabs.sendMessage(tabId, what, { frameId: 0 }).catch(() => undefined); // no script of ours is there
}

/** A tab that speaks, as far as that matters. */
export interface Speaker {
  readonly id?: number | undefined;
  readonly windowId: number;
  readonly incognito: boolean;
}

/** What a script in a page says. Only tabs speak, and only of themselves. Returns when it is stored. */
export async function hear(
  recorder: Recorder,
  words: readonly PageMessage[],
  speaker: Speaker,
): Promise<void> {
  if (speaker.id === undefined || words.length === 0) return;
  const isActive = await browser.tabs.get(speaker.id).then(
    (tab) => tab.active,
    () => false, // closed meanwhile
  );
  await Promise.all(happenings(words, speaker, isActive).map((happening) => recorder.hear(happening)));
}

/** What the pages have to say that no life has heard yet; as soon as each of them answers. */
export async function askPages(withinMs: number, tell: (said: Happening[]) => void): Promise<unknown> {
  return Promise.allSettled(
    (await recentTabs(withinMs)).map(async (tab) => {
      const place = { tabId: tab.id ?? NO_TAB, windowId: tab.windowId };
      const speak: PageOrder = { kind: "speak", place };
      const said: PageSpeech = await browser.tabs.sendMessage(place.tabId, speak, { frameId: 0 });
      tell(happenings(said.words, tab, tab.active));
    }),
  );
}

function happenings(words: readonly PageMessage[], speaker: Speaker, isActive: boolean): Happening[] {
  const { id, windowId, incognito } = speaker;
  if (id === undefined || incognito) return [];
  return words.map((word) => happeningOf(word, { tabId: id, windowId }, isActive));
}
