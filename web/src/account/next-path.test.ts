import { expect, test } from "vitest";
import { safeNext, signInPath } from "./next-path";

test.each([
  "/",
  "/settings",
  "/settings/data?x=1#y",
  "/connect#BCDF-GHJK",
  "/search?q=https://other.test//x",
])("%s is a path of ours", (path) => {
  expect(safeNext(path)).toBe(path);
});

test.each([
  null,
  "",
  "settings",
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\/evil.test",
  "/\t/evil.test",
  "/\n/evil.test",
  "\t//evil.test",
  " //evil.test",
  "/.//evil.test",
  "/..//evil.test",
  "/x/..//evil.test",
  "/%2e//evil.test",
  "/.\\/evil.test",
  "https://evil.test",
  "https:evil.test",
  "javascript:alert(1)",
  "data:text/html,x",
  "http://localhost:3000@evil.test/",
])("%j leads home", (path) => {
  expect(safeNext(path)).toBe("/");
});

test("whatever is let through stays on this site", () => {
  const pieces = [
    "/",
    "\\",
    ".",
    "..",
    "%2e",
    "%2f",
    "@",
    ":",
    "evil.test",
    "\t",
    "\n",
    " ",
    "#",
    "?",
    "https:",
  ];
  const pairs = pieces.flatMap((one) => pieces.map((other) => one + other));
  const paths = pairs.flatMap((one) => pairs.map((other) => `/${one}${other}`));
  expect(paths.filter((path) => new URL(safeNext(path), location.href).origin !== location.origin)).toEqual(
    [],
  );
  expect(paths.filter((path) => safeNext(path) !== "/").length).toBeGreaterThan(1_000);
});

test("the way to the sign-in screen leads back, with the code of an extension", () => {
  history.replaceState(null, "", "/connect#BCDF-GHJK");
  const search = new URL(signInPath(), location.origin).searchParams;
  expect(safeNext(search.get("next"))).toBe("/connect#BCDF-GHJK");
});
