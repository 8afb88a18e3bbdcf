/** What the folders promise: shared code knows no area, and classes are those of their CSS module. */
import { dirname, join, normalize } from "node:path/posix";
import { expect, test } from "vitest";

const code = import.meta.glob<string>(["./**/*.{ts,tsx}", "!./**/*.test.*", "!./testing.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const modules = import.meta.glob<string>("./**/*.module.css", {
  query: "?raw",
  import: "default",
  eager: true,
});

const base = import.meta.glob<string>("./ui/styles/base.css", {
  query: "?raw",
  import: "default",
  eager: true,
});

const SHARED = ["api", "i18n", "problems", "ui"];

test("shared code imports no area", () => {
  const wrong = Object.entries(code).flatMap(([file, text]) => {
    const folder = areaOf(normalize(file));
    // Where all texts are put together, areas are named.
    if (!SHARED.includes(folder) || file === "./i18n/messages.ts") return [];
    return importsOf(file, text)
      .filter((path) => !SHARED.includes(areaOf(path)))
      .map((path) => `${file} imports ${path}`);
  });
  expect(wrong).toEqual([]);
});

test("every class is in its CSS module, and every class of a module is used", () => {
  const used = new Map(Object.keys(modules).map((file) => [normalize(file), new Set<string>()]));
  const wrong: string[] = [];
  for (const [file, text] of Object.entries(code))
    for (const [, name = "", path = ""] of text.matchAll(/import (\w+) from "(\.[^"]+\.module\.css)"/g)) {
      const module = normalize(join(dirname(file), path));
      const known = classesOf(modules[`./${module}`] ?? "");
      for (const found of classesUsed(text, name)) {
        used.get(module)?.add(found);
        if (!known.has(found)) wrong.push(`${file}: ${name}["${found}"]`);
      }
    }
  for (const [module, names] of used)
    for (const name of classesOf(modules[`./${module}`] ?? ""))
      if (!names.has(name)) wrong.push(`${module}: .${name} is never used`);
  expect(wrong).toEqual([]);
});

test("colours are design tokens", () => {
  const wrong = Object.entries({ ...modules, ...base, ...code }).flatMap(([file, text]) =>
    [...text.matchAll(/#[0-9a-f]{3,8}\b(?=[;,")])|\brgb\(|\boklch\(/g)].map(([found]) => `${file}: ${found}`),
  );
  expect(wrong).toEqual([]);
});

function areaOf(path: string): string {
  return path.split("/")[0] ?? "";
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import) "(\.[^"]+)"/g)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)),
  );
}

function classesOf(css: string): Set<string> {
  const bare = css.replace(/\/\*.*?\*\//gs, "").replace(/\{[^{}]*\}/g, "{}");
  return new Set([...bare.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));
}

/** `styles["row"]`, `styles[isOpen ? "open" : "closed"]`; of `buttons[look]`, every look. */
function classesUsed(text: string, name: string): string[] {
  const inside = [...text.matchAll(new RegExp(`\\b${name}\\[([^\\]]+)\\]`, "g"))].map(
    ([, each = ""]) => each,
  );
  const strings = inside.flatMap((each) => [...each.matchAll(/"([^"]+)"/g)].map(([, found = ""]) => found));
  const isByVariable = inside.some((each) => /^\w+$/.test(each));
  return isByVariable ? [...strings, "main", "plain", "danger", "quiet", "wide"] : strings;
}
