// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageWord } from "../messages";
import { Marks } from "./marks";
import { Reader } from "./reader";

const TEXT =
  "A text that is long enough to be told from a menu, and that says something of its own as well. ";
let said: PageWord[];
const say = (message: PageWord) => {
  said.push(message);
};
const contents = () => said.flatMap((message) => (message.kind === "content" ? [message.content] : []));

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
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
  void new Reader(document, say).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(contents()).toHaveLength(1);
});

test("a page that is made by scripts is read again when it has come to rest", async () => {
  document.body.innerHTML = "<p>Loading</p>";
  void new Reader(document, say).start();
  await vi.advanceTimersByTimeAsync(500);
  show(TEXT);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(contents()).toHaveLength(2);
  expect(said[0]).toMatchObject({ extractionOk: false });
  expect(said[1]).toMatchObject({ extractionOk: true });
});

test("a new route is read when its text is there", async () => {
  show(TEXT);
  const reader = new Reader(document, say);
  void reader.start();
  await vi.advanceTimersByTimeAsync(10_000);
  history.pushState({}, "", "/route");
  void reader.moved();
  await vi.advanceTimersByTimeAsync(200);
  show(`Something else entirely. ${TEXT}`);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said.map((message) => new URL(message.url).pathname)).toEqual(["/", "/route"]);
  history.replaceState({}, "", "/");
});

test("a page with a password is not read at all", async () => {
  document.body.innerHTML = `<main>${TEXT.repeat(4)}</main><input type="password">`;
  void new Reader(document, say).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said).toEqual([]);
});

const ICON = "data:image/png;base64,AAAA";
const favicons = () =>
  said.flatMap((message) => (message.kind === "content" ? [message.meta.favicon ?? null] : []));

test("an icon that is there goes along with the text", async () => {
  show(TEXT);
  void new Reader(document, say, Promise.resolve(ICON)).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([ICON]);
});

test("nobody waits for an icon: one that comes later is sent with the same words again, once", async () => {
  show(TEXT);
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 900, ICON);
  });
  const reader = new Reader(document, say, late);
  void reader.start();
  await vi.advanceTimersByTimeAsync(500);
  expect(favicons()).toEqual([null]);
  document.body.innerHTML = `<main>${TEXT.repeat(3)}</main>`; // less than before is no news
  await vi.advanceTimersByTimeAsync(10_000);
  void reader.moved();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([null, ICON]);
  expect(new Set(contents()).size).toBe(1);
});

test("of a page without a text no icon is sent again", async () => {
  document.body.innerHTML = "<p>Loading</p>";
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 900, ICON);
  });
  void new Reader(document, say, late).start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(favicons()).toEqual([null]);
});

test("what stays selected is a highlight, once; what is selected in passing is not", async () => {
  show(TEXT);
  const marks = new Marks(document, say);
  marks.start(true, new AbortController().signal);
  const select = () => {
    document.getSelection()?.selectAllChildren(document.body);
    document.dispatchEvent(new Event("selectionchange"));
  };
  select();
  await vi.advanceTimersByTimeAsync(500);
  document.getSelection()?.removeAllRanges();
  document.dispatchEvent(new Event("selectionchange"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(said).toEqual([]);
  select();
  await vi.advanceTimersByTimeAsync(2_000);
  select();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(said).toHaveLength(1);
});

test("the same words on another route are another highlight, at another place of the page they are not", () => {
  show(TEXT);
  const marks = new Marks(document, say);
  document.getSelection()?.selectAllChildren(document.body);
  for (const address of ["/", "/#part", "/route", "/route#part"]) {
    history.pushState({}, "", address);
    marks.mark(1);
  }
  expect(said.map(({ url }) => new URL(url).pathname)).toEqual(["/", "/route"]);
  history.replaceState({}, "", "/");
});

test("what is typed is not marked, wherever it is typed", () => {
  const marks = new Marks(document, say);
  for (const field of ["<textarea>a draft</textarea>", "<div contenteditable><b>a draft</b></div>"]) {
    document.body.innerHTML = field;
    document.getSelection()?.selectAllChildren(document.querySelector("textarea, b") ?? document.body);
    expect(String(document.getSelection())).toBe("a draft");
    marks.mark(1);
  }
  expect(said).toEqual([]);
  document.body.innerHTML = '<div contenteditable="false">no draft</div>';
  document.getSelection()?.selectAllChildren(document.body.firstElementChild ?? document.body);
  marks.mark(2);
  expect(said).toMatchObject([{ kind: "highlight", text: "no draft" }]);
});

test("of a page with a password nothing is marked, by whatever it is asked for", async () => {
  document.body.innerHTML = `<main>${TEXT}</main><input type="password">`;
  const marks = new Marks(document, say);
  marks.start(true, new AbortController().signal);
  document.getSelection()?.selectAllChildren(document.body.firstElementChild ?? document.body);
  document.dispatchEvent(new Event("selectionchange"));
  await vi.advanceTimersByTimeAsync(2_000);
  marks.mark(1);
  expect(said).toEqual([]);
  document.querySelector("input")?.remove();
  marks.mark(2);
  expect(said).toMatchObject([{ kind: "highlight", t: 2 }]);
});
