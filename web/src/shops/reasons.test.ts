import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { en, ko } from "../i18n/messages";
import { reasonOf } from "./reasons";

beforeAll(async () => {
  await i18next.init({
    lng: "en",
    resources: { en: { translation: en }, ko: { translation: ko } },
    initAsync: false,
    interpolation: { escapeValue: false },
  });
});

test.each([
  [
    "There is no page to be had at this address. (the site answered 404)",
    "There’s no page at this address any more. (HTTP 404)",
  ],
  ["The site shows a page of another kind: login.", "The site asks visitors to sign in."],
  ["layout: the page shows no product", "The page has changed, and MindHit can’t find the product on it."],
  ["DETAIL of the same run never arrived", "Another page that belongs to it is missing."],
  ["something new", "something new"],
  [null, "unknown reason"],
])("%s is said in words", (error, said) => {
  expect(reasonOf(error, i18next.t)).toBe(said);
});

test("and in the person's language", () => {
  const korean = i18next.getFixedT("ko");
  const error = "The site asks us to come back later. (the site answered 429)";
  expect(reasonOf(error, korean)).toBe("사이트에서 나중에 다시 오라고 해요. (HTTP 429)");
});
