import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Status } from "../messages";
import { duration } from "./format";
import { viewOf } from "./view";

const QUIET: Status = {
  account: { server: "http://server", email: "a@b", isSignedOut: false },
  connecting: null,
  isPermitted: true,
  recording: null,
  isStopping: false,
  held: 0,
  foreign: 0,
  isOffline: false,
  outcome: null,
  isTight: false,
  usage: 0,
};
const recording = { startedAt: 1, lastAt: 2, pages: 3, highlights: 4, isInterrupted: false };

test("each state of the popup", () => {
  expect(viewOf(QUIET, 0)).toEqual({ is: "ready" });
  expect(viewOf({ ...QUIET, account: null }, 0)).toEqual({ is: "signed-out", wasConnected: false });
  expect(viewOf({ ...QUIET, recording }, 0)).toMatchObject({ is: "recording", pages: 3, highlights: 4 });
  expect(viewOf({ ...QUIET, recording: { ...recording, isInterrupted: true } }, 0)).toEqual({
    is: "interrupted",
    lastAt: 2,
  });
  expect(viewOf({ ...QUIET, isStopping: true }, 0)).toEqual({ is: "stopping" });
  const outcome = { id: "x", owner: "http://server me", at: 100, is: "saved" as const };
  expect(viewOf({ ...QUIET, outcome }, 200)).toEqual({ is: "saved", link: "http://server/sessions/x" });
  expect(viewOf({ ...QUIET, outcome }, 3_600_000)).toEqual({ is: "ready" });
  expect(viewOf({ ...QUIET, outcome: { ...outcome, is: "refused" } }, 200)).toEqual({ is: "refused" });
});

test("a recording that goes on is shown even where the tokens were revoked: it can still be stopped", () => {
  const account = { server: "http://server", email: "a@b", isSignedOut: true };
  expect(viewOf({ ...QUIET, account, recording }, 0).is).toBe("recording");
});

test("what was saved is where it was sent to, whoever is connected by now", () => {
  const account = { server: "http://other", email: "a@b", isSignedOut: false };
  const outcome = { id: "x", owner: "http://server me", at: 100, is: "saved" as const };
  expect(viewOf({ ...QUIET, account, outcome }, 200)).toEqual({
    is: "saved",
    link: "http://server/sessions/x",
  });
});

test("what waits for a server that is away holds nobody up, and what is another's is not counted", () => {
  const away = { ...QUIET, isStopping: true, isOffline: true };
  expect(viewOf({ ...away, held: 9, foreign: 2 }, 0)).toEqual({ is: "waiting", events: 7 });
  expect(viewOf(away, 0)).toEqual({ is: "ready" }); // it was thrown away
  expect(viewOf({ ...away, recording, held: 9 }, 0).is).toBe("recording");
});

test("durations", () => {
  expect(duration(0)).toBe("00:00:00");
  expect(duration(3_725_999)).toBe("01:02:05");
});

test("both languages have the same words with the same gaps", () => {
  const read = (language: string) =>
    JSON.parse(readFileSync(`public/_locales/${language}/messages.json`, "utf8")) as Record<
      string,
      { message: string }
    >;
  const [english, korean] = [read("en"), read("ko")];
  expect(Object.keys(korean)).toEqual(Object.keys(english));
  for (const [key, { message }] of Object.entries(english)) {
    const gaps = (text: string | undefined) => [...(text ?? "").matchAll(/\$\d/g)].map(String).sort();
    expect(gaps(korean[key]?.message), key).toEqual(gaps(message));
  }
});
