/** Reminders, notices and channels over HTTP: one function per call that the screens make. */
import type { components } from "@mindhit/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Reminder = Schemas["Reminder"];
export type Notice = Schemas["Notice"];
export type Channel = Schemas["Channel"];
export type DeliveryReason = Schemas["DeliveryReason"];
export type ChannelKind = Channel["kind"];
export type ReminderStatus = Reminder["status"];
export type Wish = NonNullable<Schemas["Snooze"]["for"]>;

export const WISHES = ["tonight", "tomorrow", "next_week", "1h"] as const satisfies readonly Wish[];
const PAGE_SIZE = 50;
const UNREAD_POLL_MS = 60_000;

export const remindersKey = ["mine", "reminders"] as const;
export const noticesKey = ["mine", "notices"] as const;
export const channelsKey = ["mine", "channels"] as const;

export const remindersQuery = (status: ReminderStatus) =>
  infiniteQueryOptions({
    queryKey: [...remindersKey, "list", status],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/reminders", {
        query: { status, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** The reminder of an address, if there is one. */
export const reminderOfQuery = (url: string) =>
  queryOptions({
    queryKey: [...remindersKey, "of", url],
    queryFn: async ({ signal }) =>
      (await api("get", "/v1/reminders", { query: { url, limit: 1 }, signal })).items[0] ?? null,
  });

export const noticesQuery = (filter: { readonly kind?: Notice["kind"] } = {}) =>
  infiniteQueryOptions({
    queryKey: [...noticesKey, "list", filter],
    queryFn: ({ pageParam, signal }) =>
      api("get", "/v1/notices", {
        query: { ...filter, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export const unreadQuery = queryOptions({
  queryKey: [...noticesKey, "unread"],
  queryFn: async ({ signal }) =>
    (await api("get", "/v1/notices", { query: { unread: true, limit: 1 }, signal })).unread,
  refetchInterval: UNREAD_POLL_MS,
});

export const channelsQuery = queryOptions({
  queryKey: channelsKey,
  queryFn: ({ signal }) => api("get", "/v1/channels", { signal }),
});

export const wantsQuery = queryOptions({
  queryKey: [...remindersKey, "preferences"],
  queryFn: ({ signal }) => api("get", "/v1/reminders/preferences", { signal }),
});

export const remind = (url: string, title: string | null, wish: Wish | null) =>
  api("post", "/v1/reminders", { body: { url, title, for: wish } });
export const snooze = (id: string, wish: Wish) =>
  api("post", "/v1/reminders/{page_id}/snooze", { path: { page_id: id }, body: { for: wish } });
export const pause = (id: string) => api("post", "/v1/reminders/{page_id}/pause", { path: { page_id: id } });
export const resume = (id: string) =>
  api("post", "/v1/reminders/{page_id}/resume", { path: { page_id: id } });
export const stop = (id: string) =>
  api("delete", "/v1/reminders/{page_id}", { path: { page_id: id }, keepalive: true });
/** What is hidden while a reminder that was stopped can still be had back; its page is not. */
export const stoppedKey = (id: string) => `reminder ${id}`;
/** Again as often as at the beginning. */
export const moreOften = (id: string) =>
  api("patch", "/v1/reminders/{page_id}", {
    path: { page_id: id },
    body: { sent_count: 1 } as Schemas["ReminderChanges"],
  });

export const readNotice = (id: string) =>
  api("post", "/v1/notices/{notice_id}/read", { path: { notice_id: id } });
export const readAllNotices = () => api("post", "/v1/notices/read");

export const addChannel = (kind: ChannelKind, name: string, config: Record<string, string>) =>
  api("post", "/v1/channels", { body: { kind, name, config, enabled: true } });
export const switchChannel = (id: string, enabled: boolean) =>
  api("patch", "/v1/channels/{channel_id}", {
    path: { channel_id: id },
    body: { enabled } as Schemas["ChannelChanges"],
  });
export const removeChannel = (id: string) =>
  api("delete", "/v1/channels/{channel_id}", { path: { channel_id: id } });
export const testChannel = (id: string) =>
  api("post", "/v1/channels/{channel_id}/test", { path: { channel_id: id } });

export const wantDigest = (digest: boolean) =>
  api("patch", "/v1/reminders/preferences", { body: { digest } });

export const pushKey = async () => (await api("get", "/v1/push/key")).key;
export const subscribePush = (body: Schemas["PushSubscription"]) =>
  api("put", "/v1/push/subscriptions", { body });
export const unsubscribePush = (id: string) =>
  api("delete", "/v1/push/subscriptions/{subscription_id}", { path: { subscription_id: id } });
