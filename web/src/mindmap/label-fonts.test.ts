import { expect, test } from "vitest";
import { labelFonts } from "./label-fonts";

const AS_COUNTED = { root: 19, topic: 15, subtopic: 13, keyword: 12 };

test("labels are as large as the server has counted, where the browser's font is about as wide", () => {
  expect(labelFonts(() => 20.31 * 1.1)).toEqual(AS_COUNTED);
  expect(labelFonts(() => 15)).toEqual(AS_COUNTED);
  expect(labelFonts(() => null)).toEqual(AS_COUNTED);
});

test("in a font that is much wider they are smaller, so that a line stays a line", () => {
  // DejaVu Sans, which many Linux desktops show for lack of another: its bold letters are a quarter wider.
  const fonts = labelFonts((_, weight) => (weight === 600 ? 25.34 : 22.49));
  const line = (25.34 / 20.31) * 210 * (fonts.topic / 15); // the widest that the server makes, 210 pixels
  expect(line).toBeLessThan(210 + 2 * 14 + 34 - 2 * 7); // padding, room and the node's own edges
  expect(fonts.topic).toBeGreaterThan(13.5);
  expect(fonts.keyword).toBe(12);
});
