/**
 * Connecting to a server: ask, open the web app's page where its reader agrees, and fetch the tokens. No password is ever
 * typed into the extension.
 */
import { browser } from "@wxt-dev/browser";
import { withTokens } from "../outbox/account";
import { askToConnect, poll, whoIs } from "../outbox/http";
import * as keys from "../storage/keys";

const ALARM = "connect";

export async function connect(server: string): Promise<void> {
  const asked = await askToConnect(server, await nameOfThis());
  // The web app's page has to be the server's own: whoever answers must not lead elsewhere.
  const url = new URL(asked.url);
  const page = new URL(url.pathname + url.search + url.hash, server).href;
  await keys.connecting.set({
    server,
    deviceCode: asked.device_code,
    userCode: asked.user_code,
    url: page,
    expiresAt: Date.now() + asked.expires_in_s * 1000,
    intervalMs: asked.interval_s * 1000,
  });
  await browser.alarms.create(ALARM, { periodInMinutes: 0.5 });
  await browser.tabs.create({ url: page });
}

let polling: ReturnType<typeof setTimeout> | null = null;

/** Look whether the answer has come, and go on looking as long as the worker is awake. `done` when it is connected. */
export async function awaitAnswer(done: () => Promise<void>): Promise<void> {
  const asked = await keys.connecting.get();
  if (asked === null) {
    await browser.alarms.clear(ALARM);
    return;
  }
  if (polling !== null) return;
  polling = setTimeout(() => {
    void lookForAnswer(asked)
      .then(async (isConnected) => {
        polling = null;
        if (isConnected) await done();
        return awaitAnswer(done);
      })
      .catch(() => {
        polling = null; // the server is away; the alarm asks again
      });
  }, asked.intervalMs);
}

async function lookForAnswer({ server, deviceCode, expiresAt }: keys.Connecting): Promise<boolean> {
  const { status, tokens } = await poll(server, deviceCode);
  if (status === "pending" && Date.now() < expiresAt) return false;
  if (status === "connected" && tokens) {
    const { id, email } = await whoIs(server, tokens.access_token);
    await keys.account.set(withTokens({ server, userId: id, email }, tokens, Date.now()));
  }
  await keys.connecting.set(null);
  return status === "connected";
}

async function nameOfThis(): Promise<string> {
  const { os } = await browser.runtime.getPlatformInfo();
  const systems: Partial<Record<string, string>> = {
    mac: "macOS",
    win: "Windows",
    linux: "Linux",
    cros: "ChromeOS",
    android: "Android",
  };
  const program = navigator.userAgent.includes("Firefox/")
    ? "Firefox"
    : navigator.userAgent.includes("Edg/")
      ? "Edge"
      : "Chrome";
  return `${program} on ${systems[os] ?? os}`;
}
