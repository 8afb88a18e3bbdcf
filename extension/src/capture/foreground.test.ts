/** Stays in the foreground, by the rules of the server's timeline. */
import { SILENCE_MS } from "@mindhit/client";
import { expect, test } from "vitest";
import type { Stay } from "./foreground";
import type { Observation } from "./observations";
import { reduce } from "./reduce";
import { A, B, RULES, started } from "./testing";

/** The stays that end in a recording that began at 1,000 with A in front, and what is in the foreground then. */
function stays(...observations: Observation[]): [Stay[], string | undefined] {
  let { state } = started;
  const ended: Stay[] = [];
  for (const observation of observations) {
    const reduced = reduce(state, observation, RULES);
    state = reduced.state;
    ended.push(...reduced.stays);
  }
  return [ended, state.foreground?.url];
}
const commit = (t: number, url: string, qualifiers: string[] = []): Observation => ({
  kind: "committed",
  t,
  tabId: 1,
  url,
  isSameDocument: false,
  transition: "link",
  qualifiers,
});
const idle = (t: number, state: "idle" | "locked" | "active"): Observation => ({
  kind: "idle",
  t,
  state,
  thresholdMs: 60_000,
});

test("a page that is left has been read since it came", () => {
  expect(stays(commit(5_000, B))).toEqual([[{ url: A, title: "A", ms: 4_000 }], B]);
});

test("a page of 0 ms was not read", () => {
  const [ended] = stays(commit(5_000, B), commit(5_000, `${B}/2`));
  expect(ended.map(({ url }) => url)).toEqual([A]);
});

test("a redirect's step was not read, and the page it led to began with it", () => {
  const [ended] = stays(commit(5_000, B), commit(5_500, `${B}/2`, ["client_redirect"]), commit(9_000, A));
  expect(ended).toEqual([
    { url: A, title: "A", ms: 4_000 },
    { url: `${B}/2`, title: undefined, ms: 4_000 },
  ]);
});

test("a window without focus is not read", () => {
  const blur: Observation = { kind: "focused", t: 3_000, windowId: -1 };
  const focus: Observation = { kind: "focused", t: 8_000, windowId: 1 };
  const [ended] = stays(blur, commit(4_000, B), commit(5_000, A), focus, commit(9_000, B));
  expect(ended.map(({ url, ms }) => [url, ms])).toEqual([
    [A, 2_000],
    [A, 1_000],
  ]);
});

test("idleness began before it was noticed, but not before the page came", () => {
  expect(stays(idle(100_000, "idle"))).toEqual([[{ url: A, title: "A", ms: 39_000 }], undefined]);
  const [ended] = stays(commit(50_000, B), idle(100_000, "idle"));
  expect(ended.map(({ url }) => url)).toEqual([A]);
  expect(stays(idle(100_000, "locked"))[0]).toMatchObject([{ ms: 99_000 }]);
});

test("sleep belongs to no page", () => {
  const woken = 10_000 + SILENCE_MS + 1;
  const [ended, now] = stays({ kind: "tick", t: 61_000 }, commit(61_000 + woken, B));
  expect(ended).toEqual([{ url: A, title: "A", ms: 60_000 }]);
  expect(now).toBe(B);
});

test("after a restart a page begins again with the snapshot", () => {
  const restart: Observation = {
    kind: "snapshot",
    t: 60_000,
    tabs: [{ id: 9, windowId: 4, isActive: true, isPrivate: false, url: A }],
    focusedWindowId: 4,
    isRestart: true,
  };
  const [ended, now] = stays({ kind: "tick", t: 50_000 }, restart);
  expect(ended.map(({ ms }) => ms)).toEqual([49_000]);
  expect(now).toBe(A);
});

test("an excluded page and a private tab are no page", () => {
  expect(stays(commit(5_000, "https://bank.example/"))[1]).toBeUndefined();
});

test("a title that comes later names the page", () => {
  const title: Observation = { kind: "updated", t: 5_100, tabId: 1, title: "Bee" };
  expect(stays(commit(5_000, B), title, commit(6_000, A))[0]).toContainEqual({
    url: B,
    title: "Bee",
    ms: 1_000,
  });
});
