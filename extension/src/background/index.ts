/** Starts the background. All listeners are registered synchronously when the worker starts. */
import { browser } from "@wxt-dev/browser";
import type { HighlightsReply, HighlightsWanted, PageReply, PageReports, Reply, Request } from "../messages";
import { afterInstallation } from "./after-installation";
import { isPauseAlarm } from "./automatic";
import { MENU, REMIND_MENU, SAVE_MENU } from "./context-menu";
import { Controls } from "./controls";
import { INBOX_ALARM, listenToNotifications, pollInbox } from "./inbox";
import { listenToNavigation, listenToTabs } from "./listeners";
import { logError } from "./log-error";
import { listenToAddressBar } from "./omnibox";
import { receiveReports, sendCommand } from "./page-messages";
import { Recorder } from "./recorder";
import { highlightsOn } from "./repaint";
import { SEND_ALARM } from "./send-schedule";

export function startBackground(): void {
  const recorder = new Recorder();
  const controls = new Controls(recorder);
  recorder.onChange = () => void controls.changed().catch(logError);
  recorder.onBegun = () => void controls.begun().catch(logError);
  listenToTabs(recorder);
  listenToNavigation(recorder);
  listenToUser(recorder, controls);
  listenToAddressBar(recorder);
  listenToNotifications(recorder.server);

  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === SEND_ALARM)
      void recorder
        .tick()
        .then(() => controls.syncIfDue())
        .catch(logError);
    else if (name === INBOX_ALARM) void pollInbox(recorder.server).catch(logError);
    else if (isPauseAlarm(name)) void controls.refresh().catch(logError);
    else void controls.pollForApproval().catch(logError);
  });
  browser.permissions.onAdded.addListener(() => {
    listenToNavigation(recorder);
    listenToNotifications(recorder.server);
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
    afterInstallation(controls, reason);
  });
  browser.runtime.onStartup.addListener(() => void controls.syncAccount().catch(logError));
  void controls.pollForApproval().catch(logError);
}

/** Messages, keyboard shortcuts and the context menu. */
function listenToUser(recorder: Recorder, controls: Controls): void {
  browser.runtime.onMessage.addListener(
    (
      message: PageReports | HighlightsWanted | Request,
      sender,
      reply: (reply: Reply | PageReply | HighlightsReply) => void,
    ) => {
      if ("ask" in message) {
        if (sender.url?.startsWith(browser.runtime.getURL("/")) !== true) return false;
        void controls.answer(message).then(reply);
        return true;
      }
      const { tab } = sender;
      if (tab?.id === undefined || sender.frameId !== 0) return false;
      if ("wants" in message) {
        const texts = highlightsOn(recorder.server, message.url, tab);
        void texts.then((found) => {
          reply({ texts: found });
        }, logError);
        return true;
      }
      const ref = { tabId: tab.id, windowId: tab.windowId };
      // Answered once they are stored: without an answer the page sends them again.
      void receiveReports(recorder, message.reports, tab).then(() => {
        reply({ ok: true, isRecording: recorder.isRecording || !recorder.isReady, tab: ref });
      }, logError);
      return true;
    },
  );
  browser.commands.onCommand.addListener((command) => {
    if (command === "save") void controls.saveAndShow().catch(logError);
    else void (command === "highlight" ? controls.highlight() : controls.toggle()).catch(logError);
  });
  browser.contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
    // The browser's own `selectionText` is not used: only the content script knows whether the page may be read.
    if (menuItemId === SAVE_MENU) void controls.saveAndShow().catch(logError);
    if (menuItemId === REMIND_MENU) void controls.saveAndShow({ reminds: true }).catch(logError);
    if (menuItemId === MENU && tab?.id !== undefined) sendCommand(tab.id, { kind: "highlight" });
  });
}
