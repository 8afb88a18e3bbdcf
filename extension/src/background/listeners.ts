/**
 * Passes the browser's events to the recorder. Listeners are registered synchronously when the worker starts, or the browser
 * would not wake it for them; each event's time is taken before anything is awaited.
 */
import { browser } from "@wxt-dev/browser";
import type { Observation } from "../capture/observations";
import { sendCommand } from "./page-messages";
import type { Recorder } from "./recorder";

export function listenToTabs(recorder: Recorder): void {
  const { tabs, windows, idle } = browser;
  const observe = (observation: Observation) => {
    void recorder.observe(observation);
  };
  tabs.onCreated.addListener(({ id, windowId, incognito, openerTabId }) => {
    const t = Date.now();
    if (id !== undefined)
      observe({ kind: "created", t, tabId: id, windowId, isPrivate: incognito, openerTabId });
  });
  tabs.onActivated.addListener(({ tabId, windowId }) => {
    observe({ kind: "activated", t: Date.now(), tabId, windowId });
  });
  tabs.onUpdated.addListener((tabId, { status, title }, tab) => {
    const t = Date.now();
    if (status === "complete") observe({ kind: "updated", t, tabId, url: tab.url, title: tab.title });
    else if (title !== undefined) observe({ kind: "updated", t, tabId, title });
  });
  tabs.onAttached.addListener((tabId, { newWindowId }) => {
    observe({ kind: "attached", t: Date.now(), tabId, windowId: newWindowId });
  });
  // Only in browsers that prerender pages.
  (tabs as Partial<typeof tabs>).onReplaced?.addListener((tabId, removedTabId) => {
    observe({ kind: "replaced", t: Date.now(), tabId, removedTabId });
  });
  tabs.onRemoved.addListener((tabId) => {
    observe({ kind: "removed", t: Date.now(), tabId });
  });
  windows.onFocusChanged.addListener((windowId) => {
    observe({ kind: "focused", t: Date.now(), windowId });
  });
  idle.onStateChanged.addListener((state) => {
    void recorder.observeIdle(Date.now(), state);
  });
}

type Committed = Parameters<Parameters<typeof browser.webNavigation.onCommitted.addListener>[0]>[0];

const listening = new WeakSet<Recorder>();

/** Needs a permission that may be granted later; may be called repeatedly, and registers once. */
export function listenToNavigation(recorder: Recorder): void {
  const navigation = browser.webNavigation as typeof browser.webNavigation | undefined;
  if (navigation === undefined || listening.has(recorder)) return;
  listening.add(recorder);
  const observe = (details: Committed, isSameDocument: boolean) => {
    const { frameId, tabId, url, transitionType, transitionQualifiers, documentLifecycle, timeStamp } =
      details;
    // A prerendered page is not visible yet, and perhaps never will be.
    if (frameId !== 0 || documentLifecycle === "prerender") return;
    const stored = recorder.observe({
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
        if (recorder.isRecording) sendCommand(tabId, { kind: "url-changed" });
      });
  };
  navigation.onCommitted.addListener((details) => {
    observe(details, false);
  });
  navigation.onHistoryStateUpdated.addListener((details) => {
    observe(details, true);
  });
  // Routes of applications that have them in the fragment.
  navigation.onReferenceFragmentUpdated.addListener((details) => {
    observe(details, true);
  });
}
