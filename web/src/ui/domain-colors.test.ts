import { expect, test } from "vitest";
import { letterOf, tinted, tintOf } from "./domain-colors";
import { color } from "./styles/tokens";

const domains = Array.from({ length: 600 }, (_, n) => `site-${n}.example`);

test("a domain has one colour, whatever else is shown", () => {
  expect(tinted("a.example")).toEqual(tinted("a.example"));
  const { hue, lift } = tintOf("a.example");
  expect(tinted("a.example").style).toEqual({ "--hue": hue, "--lift": `${lift}%` });
});

test("the thirty colours are used evenly", () => {
  const counts = new Map<string, number>();
  for (const domain of domains) {
    const name = color("site", false, tintOf(domain));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  expect(counts.size).toBe(30);
  for (const count of counts.values()) expect(count).toBeLessThan(3 * (domains.length / 30));
});

test.each([
  ["en.wikipedia.org", "W"],
  ["www.한국.kr", "한"],
  ["docs.rs", "D"],
  ["😀.example", "😀"],
  ["", "?"],
])("the letter of %s is %s", (domain, letter) => {
  expect(letterOf(domain)).toBe(letter);
});
