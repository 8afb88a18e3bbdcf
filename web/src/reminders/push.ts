/**
 * Notifications in this browser: the service worker's subscription at the browser's push service.
 * The id that our server gave the subscription is kept here, to end it.
 */
import { registerWorker } from "../app/worker";
import { pushKey, subscribePush, unsubscribePush } from "./api";

export type PushState = "unsupported" | "denied" | "off" | "on";
const STORED = "mindhit.push";

export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

export async function pushState(): Promise<PushState> {
  if (!canPush()) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  const worker = await navigator.serviceWorker.getRegistration("/");
  return (await worker?.pushManager.getSubscription()) ? "on" : "off";
}

/** Asks the person, then the push service, then tells our server. */
export async function turnPushOn(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  await registerWorker();
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(await pushKey()),
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { id } = await subscribePush({
    endpoint,
    keys: { p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" },
  });
  localStorage.setItem(STORED, id);
  return "on";
}

export async function turnPushOff(): Promise<PushState> {
  const worker = await navigator.serviceWorker.getRegistration("/");
  const subscription = await worker?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  const id = localStorage.getItem(STORED);
  localStorage.removeItem(STORED);
  if (id !== null) await unsubscribePush(id).catch(() => undefined); // the push service tells the server too
  return pushState();
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
