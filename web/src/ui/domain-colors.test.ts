import { expect, test } from "vitest";
import { hueOf, huesOf, letterOf } from "./domain-colors";

test("no two of the twelve busiest sites have the same colour, and a site keeps its own", () => {
  const domains = Array.from({ length: 12 }, (_, n) => `site-${n}.example`);
  expect(new Set(huesOf(domains).values()).size).toBe(12);
  expect(huesOf(["a.example"]).get("a.example")).toBe(hueOf("a.example"));
  expect(huesOf([...domains, "one-more.example"]).size).toBe(13);
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
