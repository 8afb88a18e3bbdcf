/** The texts: complete in both languages, and none that nothing shows. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Messages = Record<string, { message: string }>;
const read = (language: string) =>
  JSON.parse(readFileSync(`public/_locales/${language}/messages.json`, "utf8")) as Messages;
const [english, korean] = [read("en"), read("ko")];

/** Keys as they are used: `t("key")` in code, `data-t` in HTML, `getMessage` in the background, `__MSG_key__` in the manifest. */
const USES = [/\bt\(\s*"(\w+)"/g, /data-t="(\w+)"/g, /getMessage\("(\w+)"/g, /__MSG_(\w+)__/g];

function usedKeys(): string[] {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|html)$/.test(path) && !path.endsWith(".test.ts"))
    .map((path) => `src/${path}`);
  const keys = ["wxt.config.ts", ...sources].flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return USES.flatMap((use) => [...text.matchAll(use)].map(([, key = ""]) => key));
  });
  return [...new Set(keys)];
}

test("both languages have the same keys with the same placeholders", () => {
  expect(Object.keys(korean)).toEqual(Object.keys(english));
  for (const [key, { message }] of Object.entries(english)) {
    const placeholders = (text: string | undefined) => [...(text ?? "").matchAll(/\$\d/g)].map(String).sort();
    expect(placeholders(korean[key]?.message), key).toEqual(placeholders(message));
  }
});

test("every key is used, and every key that is used exists", () => {
  expect(usedKeys().sort()).toEqual(Object.keys(english).sort());
});

test("Korean sentences are polite and informal", () => {
  const formal = Object.keys(korean).filter((key) => /니다[.?!]?(\s|$)/.test(korean[key]?.message ?? ""));
  expect(formal).toEqual([]);
});
