import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { chooseLanguage } from "../i18n/languages";
import { library } from "../library/testing";
import {
  click,
  inside,
  leave,
  me,
  nothing,
  ok,
  open,
  problem,
  sent,
  serve,
  settings,
  stubDialogs,
  type,
  type Server,
} from "../testing";
import type { Channel, Notice, Reminder } from "./api";

beforeEach(() => {
  stubDialogs();
});

const reminder: Reminder = {
  page_id: "0a000000-0000-4000-8000-000000000001",
  url: "https://lighthouses.example/north-sea",
  title: "Lighthouses",
  body: "",
  next_alarm_time: "2026-11-20T09:00:00Z",
  sent_count: 3,
  status: "active",
  last_sent_at: null,
  last_error: null,
  last_error_reason: null,
};
const notice: Notice = {
  id: "0b000000-0000-4000-8000-000000000001",
  kind: "reminder",
  title: "Lighthouses",
  body: "Where they stand",
  url: reminder.url,
  page_id: reminder.page_id,
  read_at: null,
  created_at: "2026-11-16T09:00:00Z",
};
const channel: Channel = {
  id: "0c000000-0000-4000-8000-000000000001",
  kind: "ntfy",
  name: "Phone",
  target: "ntfy.sh",
  enabled: true,
  kinds: null,
  last_ok_at: null,
  last_error: null,
  last_error_reason: null,
  created_at: "2026-11-16T09:00:00Z",
};
const OF = `/v1/reminders/${reminder.page_id}`;
const reminders: Server = {
  ...inside,
  "GET /v1/reminders": ({ query }) =>
    Response.json({
      items: query.get("status") === "active" ? [reminder] : [],
      next_cursor: null,
    }),
  "GET /v1/notices": ok({ items: [notice], next_cursor: null, unread: 1 }),
  "GET /v1/channels": ok({ items: [channel], offered: ["webpush", "email", "ntfy", "webhook"] }),
  "GET /v1/reminders/preferences": ok({ folder_id: null, digest: false }),
};

test("an upcoming reminder is put off, paused and stopped", async () => {
  const asked = serve({
    ...reminders,
    [`POST ${OF}/snooze`]: ok(reminder),
    [`POST ${OF}/pause`]: ok({ ...reminder, status: "paused" }),
    [`DELETE ${OF}`]: nothing,
  });
  open("/reminders");
  expect(await screen.findByRole("link", { name: /Lighthouses/ })).toBeDefined();
  await click("Tomorrow");
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.body).toEqual({ for: "tomorrow" });
  });
  await click("Pause");
  await waitFor(() => {
    expect(sent(asked, "POST")[1]?.path).toBe(`${OF}/pause`);
  });
  await click("Stop");
  expect(await screen.findByText(/^You won’t be reminded of .* any more\.$/)).toBeDefined();
  expect(screen.queryByRole("link", { name: /Lighthouses/ })).toBeNull();
  leave();
  await waitFor(() => {
    expect(sent(asked, "DELETE")[0]?.path).toBe(OF);
  });
});

test("those that don't arrive say why and how to go on", async () => {
  const failing: Reminder = {
    ...reminder,
    status: "failing",
    last_error: "ntfy answered 403.",
    last_error_reason: { code: "answered", service: "ntfy", status: 403, detail: null },
  };
  const asked = serve({
    ...reminders,
    "GET /v1/reminders": ok({ items: [failing], next_cursor: null }),
    [`POST ${OF}/resume`]: ok(reminder),
  });
  open("/reminders?show=failing");
  expect(await screen.findByText(/Couldn’t be delivered: ntfy answered 403\./)).toBeDefined();
  await click("Resume");
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.path).toBe(`${OF}/resume`);
  });
  act(() => {
    chooseLanguage("ko");
  });
  expect(await screen.findByText("전달하지 못했어요: ntfy 서버가 403 오류로 응답했어요.")).toBeDefined();
});

test("a reason without a code is shown as the server says it", async () => {
  const odd = { ...channel, last_error: "The moon was in the way." };
  serve({ ...reminders, "GET /v1/channels": ok({ items: [odd], offered: [] }) });
  open("/settings/notifications");
  expect(await screen.findByText("Last error: The moon was in the way.")).toBeDefined();
});

test("the inbox has a badge; opening a page marks its notice as read, and a reminder is stopped there", async () => {
  const asked = serve({
    ...reminders,
    [`POST /v1/notices/${notice.id}/read`]: ok({ ...notice, read_at: notice.created_at }),
    [`DELETE ${OF}`]: nothing,
    "POST /v1/notices/read": nothing,
  });
  open("/inbox");
  expect(await screen.findByRole("link", { name: "Inbox, 1 unread" })).toBeDefined();
  fireEvent.click(await screen.findByRole("link", { name: /Lighthouses/ }));
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.path).toBe(`/v1/notices/${notice.id}/read`);
  });
  await click("Stop");
  expect(await screen.findByText(/Stopped\./)).toBeDefined();
  await click("Mark all as read");
  await waitFor(() => {
    expect(sent(asked, "POST").some(({ path }) => path === "/v1/notices/read")).toBe(true);
  });
});

test("a saved page can be reminded of, from tomorrow", async () => {
  const asked = serve({
    ...library,
    "GET /v1/reminders": ok({ items: [], next_cursor: null }),
    "POST /v1/reminders": ok({ ...reminder, sent_count: 1 }, 201),
  });
  open("/library");
  await click("Remind me about Page p1");
  await click("Remind me");
  expect(await screen.findByText(/^Reminder set: /)).toBeDefined();
  expect(sent(asked, "POST")[0]?.body).toMatchObject({ for: "tomorrow", title: "Page p1" });
});

test("a channel is added, tested, and says what is wrong", async () => {
  const asked = serve({
    ...reminders,
    "POST /v1/channels": ok({ ...channel, kind: "webhook", name: "Mine", secret: "whsec_abc" }, 201),
    [`POST /v1/channels/${channel.id}/test`]: ok({
      status: "DEAD",
      detail: "No browser shows notices any more.",
      reason: { code: "no_browsers", service: null, status: null, detail: null },
    }),
  });
  open("/settings/notifications");
  await click("Send a test to Phone");
  expect(
    await screen.findByText(/^The test didn’t arrive: No browser gets notifications any more\./),
  ).toBeDefined();
  await click("Add another channel");
  fireEvent.change(await screen.findByLabelText("Kind"), { target: { value: "webhook" } });
  await click("Add channel");
  expect(await screen.findByText("Please fill this in.")).toBeDefined();
  await type("Name", "Mine");
  await type("Address", "https://example.com/hook");
  await click("Add channel");
  expect(await screen.findByDisplayValue("whsec_abc")).toBeDefined();
  expect(sent(asked, "POST").at(-1)?.body).toMatchObject({
    kind: "webhook",
    name: "Mine",
    config: { url: "https://example.com/hook" },
  });
});

test("quiet hours are one's own, with one message for what waited", async () => {
  const own = { from: "23:00", until: "06:30" };
  const asked = serve({
    ...reminders,
    "GET /v1/me": ok({ ...me, settings: { ...settings, quiet_mode: "own", quiet_hours: own } }),
    "PATCH /v1/me/settings": ok({ ...settings, quiet_mode: "own", quiet_hours: own }),
    "PATCH /v1/reminders/preferences": ok({ folder_id: null, digest: true }),
  });
  open("/settings/notifications");
  await type("Until", "06:45");
  fireEvent.click(await screen.findByLabelText("Combine delayed reminders into one message"));
  const saves = screen.getAllByRole("button", { name: "Save" });
  expect(saves).toHaveLength(1);
  await click("Save");
  expect(await screen.findByText("Saved.")).toBeDefined();
  const changes = sent(asked, "PATCH");
  expect(changes[0]?.body).toEqual({ quiet_hours: { from: "23:00", until: "06:45" } });
  expect(changes[1]?.body).toEqual({ digest: true });
});

test("a list that can't be read is said to be so", async () => {
  serve({ ...reminders, "GET /v1/reminders": problem(500, "broken") });
  open("/reminders");
  expect(await screen.findByRole("button", { name: "Try again" })).toBeDefined();
});
