import { expect, test } from "vitest";
import { codeOf } from "./connection-code";

test.each([
  { typed: "BCDF-GHJK", code: "BCDF-GHJK" },
  { typed: " bcdf ghjk ", code: "BCDF-GHJK" },
  { typed: "bcdfghjk", code: "BCDF-GHJK" },
  { typed: "BCDF–GHJK", code: "BCDF-GHJK" },
  { typed: "BCDF-GHJ", code: "" },
  { typed: "BCDF/GHJK", code: "" },
  { typed: "../../me", code: "" },
  { typed: undefined, code: "" },
])("$typed is read as $code", ({ typed, code }) => {
  expect(codeOf(typed)).toBe(code);
});
