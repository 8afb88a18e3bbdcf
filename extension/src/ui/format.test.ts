import { expect, test } from "vitest";
import { duration } from "./format";

test("durations", () => {
  expect(duration(0)).toBe("00:00:00");
  expect(duration(3_725_999)).toBe("01:02:05");
});
