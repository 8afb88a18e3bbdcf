/** Puts the background together. Everything here runs in the worker's first turn. */
import { browser } from "@wxt-dev/browser";
import type { PageReply, PageSpeech, Reply, Request } from "../messages";
import { Controls, openSetup } from "./controls";
import { hear, listen, listenToNavigation, order } from "./listeners";
import { Recorder } from "./recorder";

const MENU = "highlight";

export function startBackground(): void {
  const recorder = new Recorder();
  const controls = new Controls(recorder);
  recorder.onChange = () => void controls.changed().catch(report);
  listen(recorder);
  listenToNavigation(recorder);
  listenToReaders(recorder, controls);

  browser.alarms.onAlarm.addListener(({ name }) => {
    void (name === "tick" ? recorder.tick() : controls.pollConnection()).catch(report);
  });
  browser.permissions.onAdded.addListener(() => {
    listenToNavigation(recorder);
    void controls.refresh().catch(report);
  });
  browser.permissions.onRemoved.addListener(() => void controls.refresh().catch(report));
  browser.storage.local.onChanged.addListener((changes) => {
    if ("settings" in changes)
      void controls
        .refresh()
        .then(() => recorder.mend())
        .catch(report);
  });
  browser.runtime.onInstalled.addListener(({ reason }) => {
    browser.contextMenus.removeAll(() => {
      browser.contextMenus.create({
        id: MENU,
        contexts: ["selection"],
        title: browser.i18n.getMessage("menuHighlight"),
      });
    });
    void controls.renew().catch(report);
    if (reason === "install") void openSetup();
  });
  browser.runtime.onStartup.addListener(() => void controls.refresh().catch(report));
  void controls.pollConnection().catch(report);
}

/** Messages, keys and the menu. */
function listenToReaders(recorder: Recorder, controls: Controls): void {
  browser.runtime.onMessage.addListener(
    (message: PageSpeech | Request, sender, reply: (reply: Reply | PageReply) => void) => {
      if ("ask" in message) {
        if (sender.url?.startsWith(browser.runtime.getURL("/")) !== true) return false;
        void controls.answer(message).then(reply);
        return true;
      }
      const { tab } = sender;
      if (tab?.id === undefined || sender.frameId !== 0) return false;
      const place = { tabId: tab.id, windowId: tab.windowId };
      // Answered when it is stored: without an answer the page says it again.
      void hear(recorder, message.words, tab).then(() => {
        reply({ ok: true, isOn: recorder.isOn || !recorder.isReady, place });
      }, report);
      return true;
    },
  );
  browser.commands.onCommand.addListener((command) => {
    void (command === "highlight" ? controls.mark() : controls.toggle()).catch(report);
  });
  browser.contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
    // Not with the text that the browser brings: the page's script knows whether anything may be taken from its page.
    if (menuItemId === MENU && tab?.id !== undefined) order(tab.id, { kind: "mark" });
  });
}

function report(error: unknown): void {
  console.error("MindHit:", error);
}
