/** Starts the background. All listeners are registered synchronously when the worker starts. */
import { browser } from "@wxt-dev/browser";
import type { PageReply, PageReports, Reply, Request } from "../messages";
import { Controls, openSetup } from "./controls";
import { listenToNavigation, listenToTabs } from "./listeners";
import { logError } from "./log-error";
import { receiveReports, sendCommand } from "./page-messages";
import { Recorder } from "./recorder";
import { SEND_ALARM } from "./send-schedule";

const MENU = "highlight";

export function startBackground(): void {
  const recorder = new Recorder();
  const controls = new Controls(recorder);
  recorder.onChange = () => void controls.changed().catch(logError);
  listenToTabs(recorder);
  listenToNavigation(recorder);
  listenToUser(recorder, controls);

  browser.alarms.onAlarm.addListener(({ name }) => {
    void (name === SEND_ALARM ? recorder.tick() : controls.pollForApproval()).catch(logError);
  });
  browser.permissions.onAdded.addListener(() => {
    listenToNavigation(recorder);
    void controls.refresh().catch(logError);
  });
  browser.permissions.onRemoved.addListener(() => void controls.refresh().catch(logError));
  browser.storage.local.onChanged.addListener((changes) => {
    if ("settings" in changes)
      void controls
        .refresh()
        .then(() => recorder.catchUp())
        .catch(logError);
  });
  browser.runtime.onInstalled.addListener(({ reason }) => {
    browser.contextMenus.removeAll(() => {
      browser.contextMenus.create({
        id: MENU,
        contexts: ["selection"],
        title: browser.i18n.getMessage("menuHighlight"),
      });
    });
    void controls.installed().catch(logError);
    if (reason === "install") void openSetup();
  });
  browser.runtime.onStartup.addListener(() => void controls.refresh().catch(logError));
  void controls.pollForApproval().catch(logError);
}

/** Messages, keyboard shortcuts and the context menu. */
function listenToUser(recorder: Recorder, controls: Controls): void {
  browser.runtime.onMessage.addListener(
    (message: PageReports | Request, sender, reply: (reply: Reply | PageReply) => void) => {
      if ("ask" in message) {
        if (sender.url?.startsWith(browser.runtime.getURL("/")) !== true) return false;
        void controls.answer(message).then(reply);
        return true;
      }
      const { tab } = sender;
      if (tab?.id === undefined || sender.frameId !== 0) return false;
      const ref = { tabId: tab.id, windowId: tab.windowId };
      // Answered once they are stored: without an answer the page sends them again.
      void receiveReports(recorder, message.reports, tab).then(() => {
        reply({ ok: true, isRecording: recorder.isRecording || !recorder.isReady, tab: ref });
      }, logError);
      return true;
    },
  );
  browser.commands.onCommand.addListener((command) => {
    void (command === "highlight" ? controls.highlight() : controls.toggle()).catch(logError);
  });
  browser.contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
    // The browser's own `selectionText` is not used: only the content script knows whether the page may be read.
    if (menuItemId === MENU && tab?.id !== undefined) sendCommand(tab.id, { kind: "highlight" });
  });
}
