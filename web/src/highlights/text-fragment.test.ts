import { expect, test } from "vitest";
import { addressAt } from "./text-fragment";

const WORDS = Array.from({ length: 40 }, (_, n) => `word${n}`).join(" ");

test.each([
  { text: "a well-known, & good one", at: "#:~:text=a%20well%2Dknown%2C%20%26%20good%20one" },
  { text: "  잠을\t자면서 난다 ", at: `#:~:text=${encodeURIComponent("잠을 자면서 난다")}` },
  // Over the ends of paragraphs, and where it is long: from its beginning to its end.
  { text: "First one.\n\nLast one.", at: "#:~:text=First%20one.,Last%20one." },
  {
    text: WORDS,
    at: "#:~:text=word0%20word1%20word2%20word3%20word4%20word5,word34%20word35%20word36%20word37%20word38%20word39",
  },
  // What can't be found by its words is not looked for.
  { text: "x".repeat(10_000), at: "" },
  { text: " \n ", at: "" },
])("a page opens at $text", ({ text, at }) => {
  expect(addressAt("https://site.example/a", text)).toBe(`https://site.example/a${at}`);
});

test("the route of an app stays in front, and half a character breaks nothing", () => {
  expect(addressAt("https://app.example/#/inbox", "hello")).toBe("https://app.example/#/inbox:~:text=hello");
  expect(addressAt("https://app.example/", "x\ud800y")).toBe("https://app.example/#:~:text=x%EF%BF%BDy");
});
