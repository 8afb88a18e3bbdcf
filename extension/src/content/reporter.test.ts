import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NumberedReport } from "../messages";
import { Reporter } from "./reporter";

vi.mock("@wxt-dev/browser", () => ({ browser: {} }));
const report = (t: number) => ({ kind: "highlight" as const, t, url: "http://a.example/", text: "x" });
const tab = { tabId: 1, windowId: 1 };
const isRecording = { ok: true, isRecording: true, tab } as const;
const save = vi.fn();

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("what is not answered is said again, in order, under the same name", async () => {
  const heard: (readonly NumberedReport[])[] = [];
  let deaths = 3;
  const reporter = new Reporter(
    () => undefined,
    ({ reports }) => {
      heard.push(reports);
      deaths -= 1;
      if (deaths === 1) return Promise.resolve(undefined); // the channel was closed without an answer
      return deaths > 0 ? Promise.reject(new Error("no receiver")) : Promise.resolve(isRecording);
    },
    save,
  );
  void reporter.report(report(1));
  await vi.advanceTimersByTimeAsync(10);
  void reporter.report(report(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(heard.map((reports) => reports.map(({ t }) => t))).toEqual([[1], [1, 2], [1, 2]]);
  expect(new Set(heard.flat().map(({ reportId }) => reportId)).size).toBe(2);
});

test("what is said while an answer is awaited does not wait for it", async () => {
  const heard: number[][] = [];
  const reporter = new Reporter(
    () => undefined,
    ({ reports }) => {
      heard.push(reports.map(({ t }) => t));
      return new Promise((resolve) => setTimeout(resolve, 500, isRecording));
    },
    save,
  );
  void reporter.report(report(1));
  void reporter.report(report(2));
  await vi.advanceTimersByTimeAsync(1_000);
  void reporter.report(report(3));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard).toEqual([[1], [1, 2], [3]]);
});

test("a new listener is told at once, and whoever is gone is asked ever more rarely", async () => {
  const send = vi.fn(() => Promise.reject(new Error("gone")));
  const reporter = new Reporter(() => undefined, send, save);
  void reporter.report(report(1));
  await vi.advanceTimersByTimeAsync(600_000);
  const before = send.mock.calls.length;
  expect(before).toBeLessThan(40);
  void reporter.resend();
  expect(send).toHaveBeenCalledTimes(before + 1);
  reporter.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(send).toHaveBeenCalledTimes(before + 1);
});

test("when nothing is recorded any more, the script hears of it", async () => {
  const over = vi.fn();
  await new Reporter(over, () => Promise.resolve({ ...isRecording, isRecording: false }), save).report(
    report(1),
  );
  expect(over).toHaveBeenCalledOnce();
});

test("what is said is kept with the page's tab, as soon as that is known", async () => {
  const reporter = new Reporter(
    () => undefined,
    () => Promise.resolve(isRecording),
    save,
  );
  save.mockClear();
  await reporter.report(report(1));
  await reporter.report(report(2));
  const kept = save.mock.calls as [NumberedReport, unknown][];
  expect(kept.map(([{ t }, where]) => [t, where])).toEqual([
    [1, null],
    [2, tab],
  ]);
});
