import { expect, test } from "vitest";
import { READY, recording } from "./testing";
import { viewOf } from "./view";

test("each state of the popup", () => {
  expect(viewOf(READY, 0)).toEqual({ is: "ready" });
  expect(viewOf({ ...READY, account: null }, 0)).toEqual({ is: "signed-out", wasConnected: false });
  expect(viewOf({ ...READY, recording }, 0)).toMatchObject({ is: "recording", pages: 3, highlights: 4 });
  expect(viewOf({ ...READY, recording: { ...recording, isInterrupted: true } }, 0)).toEqual({
    is: "interrupted",
    lastAt: 2,
  });
  expect(viewOf({ ...READY, isStopping: true }, 0)).toEqual({ is: "stopping" });
  const outcome = { id: "x", owner: "http://server me", at: 100, is: "saved" as const };
  expect(viewOf({ ...READY, outcome }, 200)).toEqual({
    is: "saved",
    link: "http://server/sessions/x",
    name: null,
  });
  expect(viewOf({ ...READY, outcome }, 3_600_000)).toEqual({ is: "ready" });
  expect(viewOf({ ...READY, outcome: { ...outcome, is: "refused" } }, 200)).toEqual({ is: "refused" });
});

test("a running recording is shown even if the tokens were revoked: it can still be stopped", () => {
  const account = { server: "http://server", email: "a@b", isSignedOut: true };
  expect(viewOf({ ...READY, account, recording }, 0).is).toBe("recording");
});

test("the saved session's link leads to the server it was sent to, regardless of the account connected now", () => {
  const account = { server: "http://other", email: "a@b", isSignedOut: false };
  const outcome = { id: "x", owner: "http://server me", at: 100, is: "saved" as const };
  expect(viewOf({ ...READY, account, outcome }, 200)).toEqual({
    is: "saved",
    link: "http://server/sessions/x",
    name: null,
  });
});

test("unsent events block nothing, and another account's are not counted", () => {
  const offline = { ...READY, isStopping: true, isOffline: true };
  expect(viewOf({ ...offline, unsent: 9, unsentElsewhere: 2 }, 0)).toEqual({ is: "waiting", events: 7 });
  expect(viewOf(offline, 0)).toEqual({ is: "ready" }); // it was discarded
  expect(viewOf({ ...offline, recording, unsent: 9 }, 0).is).toBe("recording");
});

test("recording by itself is shown as that: running, waiting, held and paused", () => {
  const automatic = { ...READY, isAutomatic: true };
  const until = 3_600_000;
  expect(viewOf({ ...automatic, recording: { ...recording, isByItself: true } }, 0)).toMatchObject({
    is: "recording",
    isByItself: true,
    isPaused: false,
  });
  expect(viewOf(automatic, 0)).toEqual({ is: "automatic", isHeld: false });
  expect(viewOf({ ...automatic, isHeld: true }, 0)).toEqual({ is: "automatic", isHeld: true });
  expect(viewOf({ ...automatic, pause: { from: 0, until } }, 0)).toEqual({ is: "paused", until });
});

test("a recording that the user has paused can be resumed and stopped", () => {
  expect(viewOf({ ...READY, recording, pause: { from: 0, until: null } }, 0)).toMatchObject({
    is: "recording",
    isPaused: true,
  });
});
