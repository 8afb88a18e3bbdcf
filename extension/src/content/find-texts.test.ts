// @vitest-environment jsdom
import { expect, test } from "vitest";
import { findTexts } from "./find-texts";

const found = (html: string, ...texts: string[]) => {
  document.body.innerHTML = html;
  return findTexts(document, texts).map((range) => range?.toString() ?? null);
};

test("a text is found where it stands first, within one element or across several", () => {
  expect(found("<p>One two three. One two three.</p>", "two three")).toEqual(["two three"]);
  expect(found("<p>Bread needs <b>time</b> and <i>warmth</i>.</p>", "needs time and warmth")).toEqual([
    "needs time and warmth",
  ]);
  expect(found("<p>It ends here.</p><p>And begins.</p>", "here. And begins")).toEqual(["here.And begins"]);
});

test("white space doesn't count, and the range has exactly the text", () => {
  const html = "<p>\n  Long    lines\n   are\twrapped </p>";
  document.body.innerHTML = html;
  const [range] = findTexts(document, ["lines are wrapped"]);
  expect(range?.toString()).toBe("lines\n   are\twrapped");
  expect(document.body.innerHTML).toBe(html);
});

test("what isn't shown is not searched, and what isn't there is not found", () => {
  expect(
    found(
      "<script>secret words</script><textarea>typed words</textarea><p>words</p>",
      "words",
      "secret",
      "typed",
    ),
  ).toEqual(["words", null, null]);
  expect(found("<p>words</p>", "", "  ", "other")).toEqual([null, null, null]);
});

test("Hangul, emoji and letters from right to left are found whole", () => {
  expect(found("<p>한글 문장 👩‍🍳 그리고 שלום עולם</p>", "문장 👩‍🍳", "שלום עולם")).toEqual([
    "문장 👩‍🍳",
    "שלום עולם",
  ]);
});
