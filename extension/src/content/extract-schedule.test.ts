// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageReport } from "../messages";
import { ExtractSchedule } from "./extract-schedule";

const TEXT =
  "A text that is long enough to be told from a menu, and that says something of its own as well. ";
let reports: PageReport[];
const report = (each: PageReport) => {
  reports.push(each);
};
const contents = () => reports.flatMap((each) => (each.kind === "content" ? [each.content] : []));

beforeEach(() => {
  vi.useFakeTimers();
  reports = [];
  document.body.innerHTML = "";
});
afterEach(() => {
  vi.useRealTimers();
});

const show = (text: string) => {
  document.body.innerHTML = `<main>${text.repeat(4)}</main>`;
};

test("a page is read when it has loaded, and not again when nothing is new", async () => {
  show(TEXT);
  void new ExtractSchedule(document, report).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(contents()).toHaveLength(1);
});

test("a page that is made by scripts is read again when it has come to rest", async () => {
  document.body.innerHTML = "<p>Loading</p>";
  void new ExtractSchedule(document, report).start();
  await vi.advanceTimersByTimeAsync(500);
  show(TEXT);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(contents()).toHaveLength(2);
  expect(reports[0]).toMatchObject({ extractionOk: false });
  expect(reports[1]).toMatchObject({ extractionOk: true });
});

test("a new route is read when its text is there", async () => {
  show(TEXT);
  const reader = new ExtractSchedule(document, report);
  void reader.start();
  await vi.advanceTimersByTimeAsync(10_000);
  history.pushState({}, "", "/route");
  void reader.urlChanged();
  await vi.advanceTimersByTimeAsync(200);
  show(`Something else entirely. ${TEXT}`);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports.map((message) => new URL(message.url).pathname)).toEqual(["/", "/route"]);
  history.replaceState({}, "", "/");
});

test("a page with a password is not read at all", async () => {
  document.body.innerHTML = `<main>${TEXT.repeat(4)}</main><input type="password">`;
  void new ExtractSchedule(document, report).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual([]);
});

const ICON = "data:image/png;base64,AAAA";
const favicons = () =>
  reports.flatMap((message) => (message.kind === "content" ? [message.meta.favicon ?? null] : []));

test("an icon that is there goes along with the text", async () => {
  show(TEXT);
  void new ExtractSchedule(document, report, Promise.resolve(ICON)).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([ICON]);
});

test("nobody waits for an icon: one that comes later is sent with the same reports again, once", async () => {
  show(TEXT);
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 900, ICON);
  });
  const reader = new ExtractSchedule(document, report, late);
  void reader.start();
  await vi.advanceTimersByTimeAsync(500);
  expect(favicons()).toEqual([null]);
  document.body.innerHTML = `<main>${TEXT.repeat(3)}</main>`; // less than before is no news
  await vi.advanceTimersByTimeAsync(10_000);
  void reader.urlChanged();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([null, ICON]);
  expect(new Set(contents()).size).toBe(1);
});

test("of a page without a text no icon is sent again", async () => {
  document.body.innerHTML = "<p>Loading</p>";
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 900, ICON);
  });
  void new ExtractSchedule(document, report, late).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([null]);
});
