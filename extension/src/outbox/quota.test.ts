import { expect, test } from "vitest";
import { isNearlyFull } from "./quota";

test("a warning comes before the disk is full", () => {
  expect(isNearlyFull({ usage: 1_000_000, quota: 1_000_000_000 })).toBe(false);
  expect(isNearlyFull({ usage: 810_000_000, quota: 1_000_000_000 })).toBe(true);
  expect(isNearlyFull({ usage: 1_000_000, quota: 40_000_000 })).toBe(true);
});
