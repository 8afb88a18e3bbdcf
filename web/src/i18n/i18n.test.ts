import { expect, test } from "vitest";
import { en, ko } from "./messages";
import { pickLanguage } from "./languages";

/** Every text as `key` → the values it expects, sorted. */
function holes(messages: object, above = ""): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of Object.entries(messages) as [string, string | object][]) {
    if (typeof value === "string") found.set(above + key, (value.match(/\{\{.*?\}\}/g) ?? []).sort());
    else for (const [inner, names] of holes(value, `${above}${key}.`)) found.set(inner, names);
  }
  return found;
}

test("Korean has exactly the keys of English, with the same values in each text", () => {
  expect(holes(ko)).toEqual(holes(en));
});

const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.*", "!../**/{en,ko}.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("every text is used somewhere", () => {
  const code = Object.values(sources).join("\n");
  // `status.${status}` uses every key right below `status`.
  const templates = [...code.matchAll(/`([a-z]\w*\.[^`]*\$\{[^`]*)`/gi)].map(
    ([, text = ""]) => new RegExp(`^${text.replaceAll(".", "\\.").replace(/\$\{[^}]*\}/g, "[^.]+")}$`),
  );
  const keys = [...holes(en).keys()].map((key) => key.replace(/_(one|other)$/, ""));
  const isUsed = (key: string) => code.includes(`"${key}"`) || templates.some((each) => each.test(key));
  expect(keys.length).toBeGreaterThan(300);
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});

test("no text is empty", () => {
  expect(JSON.stringify([en, ko])).not.toContain('""');
});

test.each([
  { remembered: null, wanted: ["ko-KR", "en-US"], picked: "ko" },
  { remembered: null, wanted: ["fr-FR", "KO"], picked: "ko" },
  { remembered: null, wanted: ["fr-FR"], picked: "en" },
  { remembered: "en", wanted: ["ko-KR"], picked: "en" },
  { remembered: "toString", wanted: ["ko-KR"], picked: "ko" },
])("remembered $remembered, wanted $wanted: $picked", ({ remembered, wanted, picked }) => {
  expect(pickLanguage(remembered, wanted)).toBe(picked);
});
