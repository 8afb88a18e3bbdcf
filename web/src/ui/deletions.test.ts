import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "@mindhit/client";
import { hold, orGone, release, removeLater, sendAll, undo, usePending } from "./deletions";
import { renderHook } from "@testing-library/react";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  await sendAll();
  vi.useRealTimers();
});

function remove(send: () => Promise<unknown> = () => Promise.resolve()) {
  const calls: string[] = [];
  removeLater({
    text: "Gone.",
    hides: ["one"],
    send: () => {
      calls.push("sent");
      return send();
    },
    settle: () => {
      calls.push("settled");
      return Promise.resolve();
    },
  });
  return calls;
}

const pending = () => renderHook(() => usePending()).result.current;

test("it is sent after ten seconds, and not before", async () => {
  const calls = remove();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual(["sent", "settled"]);
  expect(pending()).toEqual([]);
});

test("undone, it is never sent", async () => {
  const calls = remove();
  await vi.advanceTimersByTimeAsync(9_000);
  undo();
  await vi.advanceTimersByTimeAsync(60_000);
  await sendAll();
  expect(calls).toEqual([]);
});

test("only the newest is undone; the others are sent", async () => {
  const [first, second] = [remove(), remove()];
  undo();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([first, second]).toEqual([["sent", "settled"], []]);
});

test("when the page is left it is sent at once, and only once", async () => {
  const calls = remove();
  await sendAll();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual(["sent", "settled"]);
});

test("whoever is at the button has all the time, and ten seconds more", async () => {
  const calls = remove();
  const id = pending()[0]?.id ?? 0;
  hold(id);
  await vi.advanceTimersByTimeAsync(60_000);
  release(id);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual(["sent", "settled"]);
});

test("what was sent can't be undone any more; what failed says so until it is closed", async () => {
  const calls = remove(() => Promise.reject(new Error("no")));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(pending().map(({ state }) => state)).toEqual(["failed"]);
  expect(calls).toEqual(["sent", "settled"]); // of several, some may be gone
  undo(pending()[0]?.id);
  expect(pending()).toEqual([]);
});

test("what somebody else has deleted first is no failure, and anything else is", async () => {
  const failed = (status: number) => Promise.reject(Problem.from(new Response(null, { status }), ""));
  await expect(orGone(failed(404))).resolves.toBeUndefined();
  await expect(orGone(failed(503))).rejects.toBeInstanceOf(Problem);
});
