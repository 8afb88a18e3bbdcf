/**
 * The service worker (`public/sw.js`), with which the app can be installed, opens while the server can't be reached, and
 * shows notifications. Browsers have none on a page that is neither on this machine nor under HTTPS.
 */
export async function registerWorker(): Promise<void> {
  await navigator.serviceWorker.register("/sw.js");
}

/** When everything of the first screen has arrived: what the worker keeps is fetched after that. */
export function startWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    registerWorker().catch(() => undefined); // a private window may refuse
  });
}
