import { ALIVE_AFTER_MS } from "@mindhit/client";
import { expect, test } from "vitest";
import { after } from "./testing";

test("a tick says ALIVE only after a silence", () => {
  expect(
    after(
      { kind: "tick", t: 30_000 },
      { kind: "tick", t: 1_000 + ALIVE_AFTER_MS },
      { kind: "tick", t: 50_000 },
    ),
  ).toEqual([{ type: "ALIVE", t: 1_000 + ALIVE_AFTER_MS }]);
});

test("a clock that was set back does not silence ALIVE", () => {
  expect(after({ kind: "tick", t: 1_000 - 3_600_000 })).toHaveLength(1);
});
