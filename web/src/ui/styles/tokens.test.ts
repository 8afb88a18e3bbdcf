import { expect, test } from "vitest";
import { color, mediaQuery, size } from "./tokens";

test("a canvas draws with the colours of the stylesheet, in both themes", () => {
  expect(color("strip-asleep", false)).toBe("#3f4a54");
  expect(color("strip-asleep", true)).toBe("#5d6a76");
  expect(color("logo-line", true)).toBe("#fff");
});

test("a domain's colour has its hue and its lightness, as in the stylesheet", () => {
  expect(color("site", false, { hue: 15, lift: 0 })).toBe("oklch(62% 0.14 15)");
  expect(color("site", false, { hue: 75, lift: 9 })).toBe("oklch(71% 0.14 75)");
  expect(color("site", true, { hue: 75, lift: -4 })).toBe("oklch(70% 0.11 75)");
});

test("sizes are numbers of pixels", () => {
  expect(size("strip-height")).toBe(92);
  expect(() => size("space-1")).toThrow("no size in px");
  expect(() => size("nothing")).toThrow("has no --nothing");
});

test("the width of a phone is known to scripts", () => {
  expect(mediaQuery("phone")).toMatch(/^\(max-width: \d+rem\)$/);
  expect(() => mediaQuery("nothing")).toThrow("no media query --nothing");
});
