/** Recognises MindHit's web app in the active tab, which the browser lets the popup see because the user has opened it there. */
import { browser } from "@wxt-dev/browser";

/** The server whose web app is in the active tab; null if it is another page. */
export async function appIn(): Promise<string | null> {
  try {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
    if (tab?.id === undefined || !/^https?:/.test(tab.url ?? "")) return null;
    const [found] = await browser.scripting.executeScript({ target: { tabId: tab.id }, func: serverOfPage });
    return found?.result ?? null;
  } catch {
    return null; // a page that no extension may look at
  }
}

/** Runs in the page. The web app names its server, or at least itself. */
function serverOfPage(): string | null {
  const named = document.querySelector<HTMLMetaElement>('meta[name="mindhit-server"]');
  if (named !== null) return URL.canParse(named.content) ? new URL(named.content).origin : location.origin;
  const described = document.querySelector<HTMLMetaElement>('meta[name="description"]');
  return described?.content.startsWith("MindHit:") === true ? location.origin : null;
}
