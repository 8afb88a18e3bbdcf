/**
 * The address bar: `mh`, a space and words search what was recorded and saved. A suggestion opens its session at the very
 * visit, anything else the search screen. Only what the user types after the keyword is sent, to their own server.
 */
import { browser } from "@wxt-dev/browser";
import type { Suggestion } from "../outbox/http";
import * as keys from "../storage/keys";
import { t } from "../ui/i18n";
import { logError } from "./log-error";
import type { Recorder } from "./recorder";

const MOST_SUGGESTIONS = 6;
const TYPING_PAUSE_MS = 150;

interface Line {
  readonly content: string;
  readonly description: string;
}

export function listenToAddressBar(recorder: Recorder): void {
  const omnibox = browser.omnibox as typeof browser.omnibox | undefined;
  if (omnibox === undefined) return; // Firefox on Android
  let latest = 0;
  void omnibox.setDefaultSuggestion({ description: t("omniboxHint") });
  omnibox.onInputChanged.addListener((text, suggest) => {
    const mine = ++latest;
    setTimeout(() => {
      if (mine !== latest) return; // more was typed
      void suggestions(recorder, text)
        .then((found) => {
          if (mine === latest) suggest(found);
        })
        .catch(logError);
    }, TYPING_PAUSE_MS);
  });
  omnibox.onInputEntered.addListener((text, disposition) => {
    latest += 1;
    void open(text, disposition !== "currentTab").catch(logError);
  });
}

async function suggestions(recorder: Recorder, text: string): Promise<Line[]> {
  const account = await keys.account.get();
  if (account === null || text.trim() === "") return [];
  const answer = await recorder.server.suggest(text, MOST_SUGGESTIONS);
  if (answer.kind !== "ok") return [];
  return answer.value.map((each) => ({
    content: account.server + pathOf(each),
    description: describe(each),
  }));
}

/** The same as in the web app: the visit in its session, or the page in the library. */
function pathOf({ page_id, session_id, visit }: Suggestion): string {
  if (page_id !== null) return `/library/pages/${page_id}`;
  return `/sessions/${session_id ?? ""}${visit === null ? "" : `?visit=${visit}`}`;
}

/** Chrome reads markup in it, Firefox shows it as it is. */
function describe({ title, domain, url }: Suggestion): string {
  const text = [title ?? url ?? "", domain].filter(Boolean).join(" – ");
  const isFirefox = browser.runtime.getURL("/").startsWith("moz-extension:");
  return isFirefox ? text : escape(text);
}

function escape(text: string): string {
  // Control characters would make the whole list invalid.
  return text
    .replace(/[\u0000-\u001f\u007f]/g, " ") // eslint-disable-line no-control-regex
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

async function open(text: string, isNewTab: boolean): Promise<void> {
  const account = await keys.account.get();
  if (account === null) {
    await browser.tabs.create({ url: browser.runtime.getURL("/setup.html") });
    return;
  }
  const isOurs = text.startsWith(`${account.server}/`);
  const url = isOurs ? text : `${account.server}/search?${new URLSearchParams({ q: text }).toString()}`;
  if (isNewTab) await browser.tabs.create({ url });
  else await browser.tabs.update({ url });
}
