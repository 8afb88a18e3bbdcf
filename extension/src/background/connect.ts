/**
 * Connecting to a server: request a code, open the web app's page where the user approves it, and fetch the tokens. No
 * password is ever typed into the extension.
 */
import { browser } from "@wxt-dev/browser";
import { withTokens } from "../outbox/account";
import { poll, requestConnection, whoIs } from "../outbox/http";
import * as keys from "../storage/keys";

const ALARM = "connect";
/** If the worker was stopped, polling goes on with the next alarm. Browsers allow no shorter period. */
const ALARM_MINUTES = 0.5;

export async function connect(server: string): Promise<void> {
  const requested = await requestConnection(server, await browserName());
  // Only a page on the server itself is opened, wherever the answer points to.
  const url = new URL(requested.url);
  const page = new URL(url.pathname + url.search + url.hash, server).href;
  await keys.connecting.set({
    server,
    deviceCode: requested.device_code,
    userCode: requested.user_code,
    url: page,
    expiresAt: Date.now() + requested.expires_in_s * 1000,
    intervalMs: requested.interval_s * 1000,
  });
  await browser.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
  await browser.tabs.create({ url: page });
}

let timer: ReturnType<typeof setTimeout> | null = null;

/** Poll for the approval as long as the worker is awake. `onConnected` is called once it is there. */
export async function pollForApproval(onConnected: () => Promise<void>): Promise<void> {
  const connecting = await keys.connecting.get();
  if (connecting === null) {
    await browser.alarms.clear(ALARM);
    return;
  }
  if (timer !== null) return;
  timer = setTimeout(() => {
    void pollOnce(connecting)
      .then(async (isConnected) => {
        timer = null;
        if (isConnected) await onConnected();
        return pollForApproval(onConnected);
      })
      .catch(() => {
        timer = null; // the server is unreachable; the alarm tries again
      });
  }, connecting.intervalMs);
}

async function pollOnce({ server, deviceCode, expiresAt }: keys.Connecting): Promise<boolean> {
  const { status, tokens } = await poll(server, deviceCode);
  if (status === "pending" && Date.now() < expiresAt) return false;
  if (status === "connected" && tokens) {
    const { id, email } = await whoIs(server, tokens.access_token);
    await keys.account.set(withTokens({ server, userId: id, email }, tokens, Date.now()));
  }
  await keys.connecting.set(null);
  return status === "connected";
}

/** The name this browser gets in the list of devices. */
async function browserName(): Promise<string> {
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
