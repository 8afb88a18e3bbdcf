/**
 * Notifications in this browser: the service worker's subscription at the browser's push service.
 * The id that our server gave the subscription is kept here, to end it, and who is subscribed: the server sends nothing to a
 * browser that was signed out, until it hears of the subscription again (`use-renewed-push.ts`).
 */
import type { Me } from "../account/api";
import { registerWorker } from "../app/worker";
import { remember } from "../ui/local-storage";
import { pushKey, subscribePush, unsubscribePush } from "./api";
import { isOfAnother, SUBSCRIBED, subscribedAs } from "./use-renewed-push";

export type PushState = "unsupported" | "denied" | "off" | "on";
const STORED = "mindhit.push";

export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

export async function pushState(me: Me): Promise<PushState> {
  if (!canPush()) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return !isOfAnother(me) && (await subscription()) ? "on" : "off";
}

/** Asks the person, then the push service, then tells our server. */
export async function turnPushOn(me: Me): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState(me);
  await registerWorker();
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(await pushKey()),
  });
  await tellServer(me, made);
  return "on";
}

/** Tells our server of the subscription that there is. */
export async function renewPush(me: Me): Promise<void> {
  const known = canPush() && Notification.permission === "granted" ? await subscription() : null;
  if (known) await tellServer(me, known);
}

export async function turnPushOff(me: Me): Promise<PushState> {
  await (await subscription())?.unsubscribe();
  const id = localStorage.getItem(STORED);
  localStorage.removeItem(STORED);
  localStorage.removeItem(SUBSCRIBED);
  if (id !== null) await unsubscribePush(id).catch(() => undefined); // the push service tells the server too
  return pushState(me);
}

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return (await worker?.pushManager.getSubscription()) ?? null;
}

async function tellServer(me: Me, known: PushSubscription): Promise<void> {
  const { endpoint = "", keys = {} } = known.toJSON();
  const { id } = await subscribePush({
    endpoint,
    keys: { p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" },
  });
  remember(STORED, id);
  remember(SUBSCRIBED, subscribedAs(me));
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
