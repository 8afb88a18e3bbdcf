import { expect, test, vi } from "vitest";
import type { PageMessage } from "../messages";
import { Voice } from "./voice";

vi.mock("@wxt-dev/browser", () => ({ browser: {} }));
const word = (t: number) => ({ kind: "highlight" as const, t, url: "http://a.example/", text: "x" });

test("what is not answered is said again, in order, under the same name", async () => {
  vi.useFakeTimers();
  const heard: PageMessage[] = [];
  let deaths = 3;
  const voice = new Voice(
    () => undefined,
    (message) => {
      heard.push(message);
      deaths -= 1;
      if (deaths === 1) return Promise.resolve(undefined); // the channel was closed without an answer
      return deaths > 0
        ? Promise.reject(new Error("no receiver"))
        : Promise.resolve({ ok: true, isOn: true });
    },
  );
  void voice.say(word(1));
  void voice.say(word(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(heard.map(({ t }) => t)).toEqual([1, 1, 1, 2]);
  expect(new Set(heard.map(({ message }) => message)).size).toBe(2);
  vi.useRealTimers();
});

test("nobody is called for ever", async () => {
  vi.useFakeTimers();
  const send = vi.fn(() => Promise.reject(new Error("gone")));
  void new Voice(() => undefined, send).say(word(1));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(send.mock.calls.length).toBeLessThan(20);
  vi.useRealTimers();
});

test("when nothing is recorded any more, the script hears of it", async () => {
  const over = vi.fn();
  await new Voice(over, () => Promise.resolve({ ok: true, isOn: false })).say(word(1));
  expect(over).toHaveBeenCalledOnce();
});
