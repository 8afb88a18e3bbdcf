// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageReport } from "../messages";
import { Highlights } from "./highlights";

const TEXT =
  "A text that is long enough to be told from a menu, and that says something of its own as well. ";
let reports: PageReport[];
const report = (each: PageReport) => {
  reports.push(each);
};

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

test("what stays selected is a highlight, once; what is selected in passing is not", async () => {
  show(TEXT);
  const highlights = new Highlights(document, report);
  highlights.watchSelection(new AbortController().signal);
  const select = () => {
    document.getSelection()?.selectAllChildren(document.body);
    document.dispatchEvent(new Event("selectionchange"));
  };
  select();
  await vi.advanceTimersByTimeAsync(500);
  document.getSelection()?.removeAllRanges();
  document.dispatchEvent(new Event("selectionchange"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reports).toEqual([]);
  select();
  await vi.advanceTimersByTimeAsync(2_000);
  select();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reports).toHaveLength(1);
});

test("the same reports on another route are another highlight, at another tab of the page they are not", () => {
  show(TEXT);
  const highlights = new Highlights(document, report);
  document.getSelection()?.selectAllChildren(document.body);
  for (const address of ["/", "/#part", "/route", "/route#part"]) {
    history.pushState({}, "", address);
    highlights.highlight(1);
  }
  expect(reports.map(({ url }) => new URL(url).pathname)).toEqual(["/", "/route"]);
  history.replaceState({}, "", "/");
});

test("what is typed is not marked, wherever it is typed", () => {
  const highlights = new Highlights(document, report);
  for (const field of ["<textarea>a draft</textarea>", "<div contenteditable><b>a draft</b></div>"]) {
    document.body.innerHTML = field;
    document.getSelection()?.selectAllChildren(document.querySelector("textarea, b") ?? document.body);
    expect(String(document.getSelection())).toBe("a draft");
    highlights.highlight(1);
  }
  expect(reports).toEqual([]);
  document.body.innerHTML = '<div contenteditable="false">no draft</div>';
  document.getSelection()?.selectAllChildren(document.body.firstElementChild ?? document.body);
  highlights.highlight(2);
  expect(reports).toMatchObject([{ kind: "highlight", text: "no draft" }]);
});

test("of a page with a password nothing is marked, by whatever it is asked for", async () => {
  document.body.innerHTML = `<main>${TEXT}</main><input type="password">`;
  const highlights = new Highlights(document, report);
  highlights.watchSelection(new AbortController().signal);
  document.getSelection()?.selectAllChildren(document.body.firstElementChild ?? document.body);
  document.dispatchEvent(new Event("selectionchange"));
  await vi.advanceTimersByTimeAsync(2_000);
  highlights.highlight(1);
  expect(reports).toEqual([]);
  document.querySelector("input")?.remove();
  highlights.highlight(2);
  expect(reports).toMatchObject([{ kind: "highlight", t: 2 }]);
});
