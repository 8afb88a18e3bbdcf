/** The server's address, so that nobody has to type it. */
import { browser } from "@wxt-dev/browser";
import { parseServerAddress } from "../../outbox/server-address";
import * as keys from "../../storage/keys";

/**
 * In this order: the tab that the popup was opened in, the account, the server that this extension was downloaded from, and
 * an open tab of the web app, as far as the browser shows it. Empty if there is none.
 */
export async function suggestedServer(): Promise<string> {
  const asked = new URLSearchParams(location.search).get("server");
  return (
    parseServerAddress(asked ?? "") ??
    (await keys.account.get())?.server ??
    (await carriedServer()) ??
    (await openServer()) ??
    ""
  );
}

/** A server puts its own address beside the manifest of the extension that it hands out. */
async function carriedServer(): Promise<string | null> {
  try {
    const file = browser.runtime.getURL("/server.json");
    const { url } = (await (await fetch(file)).json()) as { url?: unknown };
    return typeof url === "string" ? parseServerAddress(url) : null;
  } catch {
    return null; // a build that no server handed out
  }
}

/** Tabs have a URL only where the user has granted access to their site. */
async function openServer(): Promise<string | null> {
  const tabs = await browser.tabs.query({});
  const app = tabs.find(
    ({ url, title }) => /^https?:/.test(url ?? "") && /(^|[\s·–—|-])MindHit$/.test(title ?? ""),
  );
  return app?.url === undefined ? null : new URL(app.url).origin;
}
