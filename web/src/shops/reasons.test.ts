import { expect, test } from "vitest";
import { translator } from "../i18n/translate";
import { reasonOf } from "./reasons";

test.each([
  [
    "There is no page at this address. (the site answered 404)",
    "There’s no page at this address any more. (HTTP 404)",
  ],
  ["The site shows a page of another kind: login.", "The site asks visitors to sign in."],
  ["layout: the page shows no product", "The page has changed, and MindHit can’t find the product on it."],
  ["DETAIL of the same run never arrived", "A page it depends on could not be fetched."],
  ["something new", "something new"],
  [null, "unknown reason"],
])("%s is said in words", (error, said) => {
  expect(reasonOf(error, translator("en"))).toBe(said);
});

test("and in the person's language", () => {
  const korean = translator("ko");
  const error = "The site asks us to come back later. (the site answered 429)";
  expect(reasonOf(error, korean)).toBe("사이트에서 요청을 제한하고 있어요. (HTTP 429)");
});
