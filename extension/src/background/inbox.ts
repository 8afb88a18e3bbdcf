/**
 * Notices as browser notifications, for people who want them and have no other channel: the inbox is polled while the
 * browser runs. Off until it is turned on in the options, which ask for the permission.
 *
 * A notice is remembered before it is shown, by its id, so that none is shown twice whatever kills the worker; what was in
 * the inbox when it was turned on is never shown. In quiet hours only reminders are shown that came since they began: their
 * person chose that time. What came before, while the browser was closed, say, and all else follows when it is no longer
 * quiet. The web app's own notifications in the same browser can't be recognised from here (another origin, another
 * service worker): the options say to use one of the two.
 */
import { browser } from "@wxt-dev/browser";
import type { HttpServer, Notice } from "../outbox/http";
import type { Failure } from "../outbox/server";
import * as keys from "../storage/keys";
import { logError } from "./log-error";

export const INBOX_ALARM = "inbox";
const POLL_MINUTES = 5;
const POLL_MS = POLL_MINUTES * 60_000;
const LONGEST_BACKOFF_MS = 60 * 60_000;
/** How many shown notices are remembered; what is older than the oldest of them is never shown. */
const REMEMBERED = 100;
const ID = "notice:";

const NOTHING = { since: null, shown: [], failures: 0, retryAt: 0 };

let last: Promise<unknown> = Promise.resolve();
const listening = new WeakSet<HttpServer>();

/** Poll as long as it is wanted, permitted and possible. Called whenever one of these may have changed. */
export async function setInboxAlarm(server: HttpServer): Promise<void> {
  const [isWanted, found] = [await isPolling(), await browser.alarms.get(INBOX_ALARM)];
  if (!isWanted) {
    if (found !== undefined) await browser.alarms.clear(INBOX_ALARM);
    // Turned on again, it starts over; signed in again, it continues.
    if (!(await keys.settings.get()).showsNotices) await forgetShown();
    return;
  }
  if (found !== undefined) return;
  await browser.alarms.create(INBOX_ALARM, { periodInMinutes: POLL_MINUTES });
  // At once, so that what is there now counts as seen. Not awaited: the server may be unreachable.
  void pollInbox(server).catch(logError);
}

/** Show what is new. One poll at a time: each reads and writes what was shown. */
export function pollInbox(server: HttpServer): Promise<void> {
  const done = last.then(() => poll(server));
  last = done.catch(() => undefined);
  return done;
}

/** Needs a permission that may be granted later; may be called repeatedly, and registers once. */
export function listenToNotifications(server: HttpServer): void {
  const notifications = browser.notifications as typeof browser.notifications | undefined;
  if (notifications === undefined || listening.has(server)) return;
  listening.add(server);
  notifications.onClicked.addListener((id) => {
    if (id.startsWith(ID)) void open(server, id).catch(logError);
  });
}

async function forgetShown(): Promise<void> {
  if ((await keys.inbox.get()) !== null) await keys.inbox.set(null);
}

async function isPolling(): Promise<boolean> {
  const [{ showsNotices }, account] = [await keys.settings.get(), await keys.account.get()];
  if (!showsNotices || account === null || account.isSignedOut) return false;
  return browser.permissions.contains({ permissions: ["notifications"] });
}

async function poll(server: HttpServer): Promise<void> {
  const account = await keys.account.get();
  if (account === null || !(await isPolling())) {
    await setInboxAlarm(server);
    return;
  }
  const owner = `${account.server} ${account.userId}`;
  const stored = await keys.inbox.get();
  const known = stored?.owner === owner ? stored : { ...NOTHING, owner };
  if (Date.now() < known.retryAt) return;
  const answer = await server.unreadNotices();
  if (answer.kind !== "ok") {
    await keys.inbox.set({ ...known, ...backoff(known.failures, answer) });
    return;
  }
  const { shown } = known;
  const { notices, quietSince } = answer.value;
  const since = known.since ?? Math.max(0, ...notices.map(timeOf));
  const isNew = (each: Notice) => timeOf(each) > since && !shown.some(({ id }) => id === each.id);
  const mayShow = (each: Notice) =>
    quietSince === null || (each.kind === "reminder" && timeOf(each) >= quietSince);
  const news = notices
    .filter((each) => isNew(each) && mayShow(each))
    .sort((one, other) => timeOf(one) - timeOf(other));
  const added = news.map((each) => ({ id: each.id, at: timeOf(each), url: each.url }));
  await keys.inbox.set({ owner, ...remember([...shown, ...added], since), failures: 0, retryAt: 0 });
  for (const each of news) await show(each);
}

/** The newest; those that are forgotten are not shown again. */
function remember(shown: readonly keys.ShownNotice[], since: number): Pick<keys.Inbox, "shown" | "since"> {
  const inOrder = [...shown].sort((one, other) => one.at - other.at);
  const forgotten = inOrder.slice(0, -REMEMBERED);
  return { shown: inOrder.slice(-REMEMBERED), since: Math.max(since, ...forgotten.map(({ at }) => at)) };
}

function backoff(failures: number, answer: Failure): Pick<keys.Inbox, "failures" | "retryAt"> {
  const asked = answer.kind === "unreachable" ? (answer.retryAfterMs ?? 0) : 0;
  const wait = Math.min(POLL_MS * 2 ** failures, LONGEST_BACKOFF_MS);
  return { failures: failures + 1, retryAt: Date.now() + Math.max(wait, asked) };
}

async function show({ id, title, body }: Notice): Promise<void> {
  await browser.notifications.create(ID + id, {
    type: "basic",
    iconUrl: browser.runtime.getURL("/icon/128.png"),
    title,
    message: body,
  });
}

/** Opens the page, or the inbox where the notice has none, and marks it as read. */
async function open(server: HttpServer, notification: string): Promise<void> {
  const id = notification.slice(ID.length);
  const [inbox, account] = [await keys.inbox.get(), await keys.account.get()];
  const url = inbox?.shown.find((each) => each.id === id)?.url ?? "";
  const isWeb = /^https?:\/\//i.test(url);
  if (isWeb || account !== null)
    await browser.tabs.create({ url: isWeb ? url : `${account?.server ?? ""}/inbox` });
  await browser.notifications.clear(notification);
  await server.readNotice(id);
}

function timeOf({ created_at: at }: Notice): number {
  return Date.parse(at);
}
