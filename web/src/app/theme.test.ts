import { afterEach, beforeEach, expect, test } from "vitest";
import themeScript from "../../public/theme.js?raw";
import { chooseTheme, startTheme } from "./theme";

const root = document.documentElement;
const bars = () => [...document.querySelectorAll<HTMLMetaElement>("meta")].map((bar) => bar.media);

beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML =
    '<meta name="theme-color" data-scheme="light"><meta name="theme-color" data-scheme="dark">';
  startTheme();
});

afterEach(() => {
  document.head.innerHTML = "";
});

test("the system decides until somebody does", () => {
  expect(root.dataset["theme"]).toBeUndefined();
  expect(bars()).toEqual(["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]);
});

test("a choice is applied, remembered, and can be taken back", () => {
  chooseTheme("dark");
  expect(root.dataset["theme"]).toBe("dark");
  expect(bars()).toEqual(["not all", "all"]);
  delete root.dataset["theme"];
  startTheme();
  expect(root.dataset["theme"]).toBe("dark");
  chooseTheme("system");
  expect(root.dataset["theme"]).toBeUndefined();
});

test("the script before the first paint knows the choice, and nothing else", () => {
  const run = () => {
    delete root.dataset["theme"];
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the file itself is under test
    new Function(themeScript)();
    return root.dataset["theme"];
  };
  chooseTheme("dark");
  expect(run()).toBe("dark");
  chooseTheme("system");
  expect(run()).toBeUndefined();
  localStorage.setItem("mindhit.theme", '"><script>');
  expect(run()).toBeUndefined();
});
