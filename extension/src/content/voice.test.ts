import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageMessage } from "../messages";
import { Voice } from "./voice";

vi.mock("@wxt-dev/browser", () => ({ browser: {} }));
const word = (t: number) => ({ kind: "highlight" as const, t, url: "http://a.example/", text: "x" });
const place = { tabId: 1, windowId: 1 };
const isOn = { ok: true, isOn: true, place } as const;
const keep = vi.fn();

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("what is not answered is said again, in order, under the same name", async () => {
  const heard: (readonly PageMessage[])[] = [];
  let deaths = 3;
  const voice = new Voice(
    () => undefined,
    ({ words }) => {
      heard.push(words);
      deaths -= 1;
      if (deaths === 1) return Promise.resolve(undefined); // the channel was closed without an answer
      return deaths > 0 ? Promise.reject(new Error("no receiver")) : Promise.resolve(isOn);
    },
    keep,
  );
  void voice.say(word(1));
  await vi.advanceTimersByTimeAsync(10);
  void voice.say(word(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(heard.map((words) => words.map(({ t }) => t))).toEqual([[1], [1, 2], [1, 2]]);
  expect(new Set(heard.flat().map(({ message }) => message)).size).toBe(2);
});

test("what is said while an answer is awaited does not wait for it", async () => {
  const heard: number[][] = [];
  const voice = new Voice(
    () => undefined,
    ({ words }) => {
      heard.push(words.map(({ t }) => t));
      return new Promise((resolve) => setTimeout(resolve, 500, isOn));
    },
    keep,
  );
  void voice.say(word(1));
  void voice.say(word(2));
  await vi.advanceTimersByTimeAsync(1_000);
  void voice.say(word(3));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard).toEqual([[1], [1, 2], [3]]);
});

test("a new listener is told at once, and whoever is gone is asked ever more rarely", async () => {
  const send = vi.fn(() => Promise.reject(new Error("gone")));
  const voice = new Voice(() => undefined, send, keep);
  void voice.say(word(1));
  await vi.advanceTimersByTimeAsync(600_000);
  const before = send.mock.calls.length;
  expect(before).toBeLessThan(40);
  void voice.sayAgain();
  expect(send).toHaveBeenCalledTimes(before + 1);
  voice.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(send).toHaveBeenCalledTimes(before + 1);
});

test("when nothing is recorded any more, the script hears of it", async () => {
  const over = vi.fn();
  await new Voice(over, () => Promise.resolve({ ...isOn, isOn: false }), keep).say(word(1));
  expect(over).toHaveBeenCalledOnce();
});

test("what is said is kept with the page's place, as soon as that is known", async () => {
  const voice = new Voice(
    () => undefined,
    () => Promise.resolve(isOn),
    keep,
  );
  keep.mockClear();
  await voice.say(word(1));
  await voice.say(word(2));
  const kept = keep.mock.calls as [PageMessage, unknown][];
  expect(kept.map(([{ t }, where]) => [t, where])).toEqual([
    [1, null],
    [2, place],
  ]);
});
