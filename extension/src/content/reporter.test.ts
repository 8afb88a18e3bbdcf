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

test("unanswered reports are sent again, in order, under the same ids", async () => {
  const sent: (readonly NumberedReport[])[] = [];
  let failures = 3;
  const reporter = new Reporter(
    () => undefined,
    ({ reports }) => {
      sent.push(reports);
      failures -= 1;
      if (failures === 1) return Promise.resolve(undefined); // the channel was closed without an answer
      return failures > 0 ? Promise.reject(new Error("no receiver")) : Promise.resolve(isRecording);
    },
    save,
  );
  void reporter.report(report(1));
  await vi.advanceTimersByTimeAsync(10);
  void reporter.report(report(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map((reports) => reports.map(({ t }) => t))).toEqual([[1], [1, 2], [1, 2]]);
  expect(new Set(sent.flat().map(({ reportId }) => reportId)).size).toBe(2);
});

test("a report does not wait for the answer to the one before", async () => {
  const sent: number[][] = [];
  const reporter = new Reporter(
    () => undefined,
    ({ reports }) => {
      sent.push(reports.map(({ t }) => t));
      return new Promise((resolve) => setTimeout(resolve, 500, isRecording));
    },
    save,
  );
  void reporter.report(report(1));
  void reporter.report(report(2));
  await vi.advanceTimersByTimeAsync(1_000);
  void reporter.report(report(3));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([[1], [1, 2], [3]]);
});

test("a new worker gets the reports at once, and retries get rarer", async () => {
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

test("when nothing is being recorded any more, the script is told", async () => {
  const over = vi.fn();
  await new Reporter(over, () => Promise.resolve({ ...isRecording, isRecording: false }), save).report(
    report(1),
  );
  expect(over).toHaveBeenCalledOnce();
});

test("reports are saved with the page's tab, as soon as that is known", async () => {
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
