// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageReport } from "../messages";
import { Highlights } from "./highlights";

const TEXT =
  "A text that is long enough not to be taken for a menu, with something of its own to say as well. ";
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

test("text that stays selected is highlighted, once; text selected briefly is not", async () => {
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

test("the same text on another route is another highlight, at another fragment it is not", () => {
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

test("typed text is not highlighted, in any kind of field", () => {
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

test("nothing is highlighted on a page with a password field, by whatever means", async () => {
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
