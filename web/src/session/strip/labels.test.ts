import { expect, test } from "vitest";
import { fitted } from "./labels";

const widthOf = (text: string) => Array.from(text).length * 10;

test.each([
  { text: "arxiv.org", room: 90, shown: "arxiv.org" },
  { text: "jalammar.github.io", room: 85, shown: "jalamma…" },
  { text: "The Illustrated", room: 50, shown: "The…" },
  { text: "arxiv.org", room: 35, shown: "" },
  { text: "", room: 100, shown: "" },
])("$text in $room pixels: “$shown”", ({ text, room, shown }) => {
  expect(fitted(text, room, widthOf)).toBe(shown);
});

test("a letter of several code points is whole or left out", () => {
  const family = "👩\u200d👩\u200d👧";
  for (let room = 0; room < 400; room += 10)
    expect(fitted(family.repeat(6), room, widthOf).replace("…", "").replaceAll(family, "")).toBe("");
});

test("whatever is shown fits", () => {
  const long = "wide ".repeat(2_000);
  for (const room of [10, 60, 500, 5_000])
    expect(widthOf(fitted(long, room, widthOf))).toBeLessThanOrEqual(room);
});
