// The service worker: shows notifications, does what is clicked on them, and keeps the app's own files, so that it opens
// while the server can't be reached. Answers under /v1 don't pass through here: people's data is never kept.
const worker = globalThis;
const { caches, clients, fetch, location, registration, URL } = worker;
const SHELL = "shell-2";
const START = "/";
const ICON = "/icon-192.png"; // systems that show notifications rarely read SVG
const WORDS = {
  en: { tomorrow: "Tomorrow", stop: "Stop" },
  ko: { tomorrow: "내일 다시", stop: "알림 그만 받기" },
};

worker.addEventListener("install", (event) => {
  const start = fetch(START, { cache: "no-cache" });
  event.waitUntil(start.then(keepShell).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldShells().then(() => clients.claim()));
});

worker.addEventListener("push", (event) => {
  const notice = read(event.data);
  const words = worker.navigator.language.startsWith("ko") ? WORDS.ko : WORDS.en;
  const actions = pageOf(notice.key)
    ? [
        { action: "tomorrow", title: words.tomorrow },
        { action: "stop", title: words.stop },
      ]
    : [];
  event.waitUntil(
    registration.showNotification(notice.title, {
      body: notice.body,
      tag: notice.key, // a repeat replaces the one that is shown
      icon: ICON,
      data: notice,
      actions,
    }),
  );
});

worker.addEventListener("notificationclick", (event) => {
  const notice = event.notification.data ?? {};
  event.notification.close();
  event.waitUntil(act(event.action, notice));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || isApi(url.pathname)) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate") event.respondWith(opened(event));
  else if (isShellFile(url.pathname)) event.respondWith(fresh(request));
});

/** Opens the page and marks the notice as read; “tomorrow” and “stop” change the reminder and open nothing. */
async function act(action, notice) {
  const pageId = pageOf(notice.key);
  const done = notice.notice_id ? [post(`/v1/notices/${notice.notice_id}/read`)] : [];
  if (action === "tomorrow" && pageId) {
    done.push(post(`/v1/reminders/${pageId}/snooze`, { for: "tomorrow" }));
  } else if (action === "stop" && pageId) {
    done.push(fetch(`/v1/reminders/${pageId}`, { method: "DELETE", credentials: "same-origin" }));
  } else {
    done.push(clients.openWindow(isWeb(notice.url) ? notice.url : "/inbox"));
  }
  await Promise.allSettled(done);
}

function post(path, body) {
  return fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: body ? { "content-type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
}

function read(data) {
  try {
    const { key = "", title = "MindHit", body = "", url = null, notice_id: id = null } = data.json();
    return { key, title, body, url, notice_id: id };
  } catch {
    return { key: "", title: "MindHit", body: "", url: null, notice_id: null };
  }
}

/** The page of `reminder:<page>:<count>`. */
function pageOf(key) {
  return /^reminder:([0-9a-f-]{36}):\d+$/.exec(key ?? "")?.[1];
}

function isWeb(url) {
  return typeof url === "string" && /^https?:\/\//i.test(url);
}

function isApi(path) {
  return /^\/(v1|api|healthz|readyz|metrics|openapi\.json)(\/|$)/.test(path);
}

/** A file beside the start page, without a hash in its name. */
function isShellFile(path) {
  return /^\/[\w-]+\.(js|svg|png|webmanifest)$/.test(path);
}

/** Assets have a hash in their name: what is kept is right forever. */
async function kept(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(SHELL);
    await cache.put(request, answer.clone());
  }
  return answer;
}

/** From the server; only where it can't be reached, as it was kept. */
async function fresh(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(request);
    if (found) return found;
    throw error;
  }
}

/** Every screen is the same start page; where the server can't be reached, the one that was kept. */
async function opened(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keepShell(answer.clone()).catch(() => undefined)); // the older one then stays
    return answer;
  } catch (error) {
    const found = await caches.match(START);
    if (found) return found;
    throw error;
  }
}

/** Keeps a start page with the files that it names, in place of those of the version before. */
async function keepShell(answer) {
  if (!answer.ok || !answer.headers.get("content-type")?.startsWith("text/html")) return;
  const cache = await caches.open(SHELL);
  const html = await answer.clone().text();
  const before = await cache.match(START);
  if (before && (await before.text()) === html) return;
  const named = html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|png|webmanifest))"/g);
  const files = [...named].map(([, file]) => file);
  await cache.addAll(files);
  await cache.put(START, answer);
  for (const request of await cache.keys()) {
    const path = new URL(request.url).pathname;
    if (path !== START && !files.includes(path)) await cache.delete(request);
  }
}

async function forgetOldShells() {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
}
