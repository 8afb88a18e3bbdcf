import { expect, test } from "vitest";
import { session } from "../testing";
import type { Progress } from "./api";
import { focusedMs, silentSince } from "./live";

const recording: Progress = {
  ...session,
  acked_seq: 20,
  event_count: 20,
  rejected_count: 0,
  error: null,
  status: "recording",
  ended_at: null,
  version: 3,
  processing: null,
  page_now: {
    url: "https://a.example",
    title: null,
    entered_at: "2026-11-15T10:20:00.000Z",
    is_focused: true,
  },
};
const NOW = Date.parse("2026-11-15T10:20:30Z");

test("the page in front ticks, one in the background does not", () => {
  expect(focusedMs(recording, recording, NOW)).toBe(1_130_000);
  const away = { ...recording, page_now: recording.page_now && { ...recording.page_now, is_focused: false } };
  expect(focusedMs(away, away, NOW)).toBe(1_100_000);
  expect(focusedMs(session, null, NOW)).toBe(1_100_000);
});

test("the page of a silent browser counts up to its last word", () => {
  const left = { ...recording, last_event_at: "2026-11-15T10:20:07.000Z" };
  expect(focusedMs(left, left, NOW + 600_000)).toBe(1_107_000);
});

test("a browser that is silent for three minutes is told of, one that stopped is not", () => {
  expect(silentSince(recording, NOW)).toBeNull();
  expect(silentSince(recording, NOW + 200_000)).toBe(session.last_event_at);
  expect(silentSince(session, NOW + 200_000)).toBeNull();
});
