// The service worker: shows notifications, does what is clicked on them, and keeps the app's own files for when the
// server can't be reached. Nothing under /v1 is ever kept: that is people's data.
const worker = globalThis;
const { caches, clients, fetch, location, registration, URL } = worker;
const SHELL = "shell-1";
const START = "/";
const ICON = "/favicon.svg";
const WORDS = {
  en: { tomorrow: "Tomorrow", stop: "Stop" },
  ko: { tomorrow: "내일 다시", stop: "그만 알림" },
};

worker.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => worker.skipWaiting()));
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
      badge: ICON,
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
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate" && !isApi(url.pathname)) event.respondWith(opened(request));
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

/** From the server; only where it can't be reached, the app as it was last opened. */
async function opened(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) {
      const cache = await caches.open(SHELL);
      await cache.put(START, answer.clone());
    }
    return answer;
  } catch (error) {
    const found = await caches.match(START);
    if (found) return found;
    throw error;
  }
}

/** The start page with the scripts and styles that it names. */
async function keepShell() {
  const cache = await caches.open(SHELL);
  const answer = await fetch(START, { cache: "no-cache" });
  if (!answer.ok) return;
  const html = await answer.clone().text();
  await cache.put(START, answer);
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, file]) => file);
  await Promise.allSettled(files.map((file) => cache.add(file)));
}

async function forgetOldShells() {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
}
