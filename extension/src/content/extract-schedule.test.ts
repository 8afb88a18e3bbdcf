// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageReport } from "../messages";
import { ExtractSchedule } from "./extract-schedule";

const TEXT =
  "A text that is long enough not to be taken for a menu, with something of its own to say as well. ";
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

test("text is extracted when the page has loaded, and not sent again if nothing changed", async () => {
  show(TEXT);
  void new ExtractSchedule(document, report).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(contents()).toHaveLength(1);
});

test("a page that scripts build is extracted again when its DOM is quiet", async () => {
  document.body.innerHTML = "<p>Loading</p>";
  void new ExtractSchedule(document, report).start();
  await vi.advanceTimersByTimeAsync(500);
  show(TEXT);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(contents()).toHaveLength(2);
  expect(reports[0]).toMatchObject({ extractionOk: false });
  expect(reports[1]).toMatchObject({ extractionOk: true });
});

test("a new route's text is extracted once it is there", async () => {
  show(TEXT);
  const schedule = new ExtractSchedule(document, report);
  void schedule.start();
  await vi.advanceTimersByTimeAsync(10_000);
  history.pushState({}, "", "/route");
  void schedule.urlChanged();
  await vi.advanceTimersByTimeAsync(200);
  show(`Something else entirely. ${TEXT}`);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports.map((message) => new URL(message.url).pathname)).toEqual(["/", "/route"]);
  history.replaceState({}, "", "/");
});

test("a page that the browser has kept is read again when the user goes back to it", async () => {
  show(TEXT);
  const schedule = new ExtractSchedule(document, report);
  void schedule.start();
  await vi.advanceTimersByTimeAsync(10_000);
  schedule.restored();
  await vi.advanceTimersByTimeAsync(10_000);
  const [first, again] = contents();
  expect(contents()).toHaveLength(2);
  expect(again).toBe(first);
});

test("a page with a password field is not read, and says once that the server must not fetch it", async () => {
  document.body.innerHTML = `<main>${TEXT.repeat(4)}</main><input type="password">`;
  const schedule = new ExtractSchedule(document, report);
  void schedule.start();
  await vi.advanceTimersByTimeAsync(10_000);
  void schedule.urlChanged();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports).toMatchObject([{ content: "", extractionOk: false, meta: {}, noFetch: true }]);
});

const ICON = "data:image/png;base64,AAAA";
const favicons = () =>
  reports.flatMap((message) => (message.kind === "content" ? [message.meta.favicon ?? null] : []));

test("an icon that is ready is sent with the text", async () => {
  show(TEXT);
  void new ExtractSchedule(document, report, Promise.resolve(ICON)).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([ICON]);
});

test("nothing waits for an icon: a late one is sent with the same text again, once", async () => {
  show(TEXT);
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 900, ICON);
  });
  const schedule = new ExtractSchedule(document, report, late);
  void schedule.start();
  await vi.advanceTimersByTimeAsync(500);
  expect(favicons()).toEqual([null]);
  document.body.innerHTML = `<main>${TEXT.repeat(3)}</main>`; // less than before is no news
  await vi.advanceTimersByTimeAsync(10_000);
  void schedule.urlChanged();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([null, ICON]);
  expect(new Set(contents()).size).toBe(1);
});

test("for a page without text, the icon is not sent later", async () => {
  document.body.innerHTML = "<p>Loading</p>";
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 900, ICON);
  });
  void new ExtractSchedule(document, report, late).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([null]);
});
