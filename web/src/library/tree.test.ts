import { expect, test } from "vitest";
import type { Folder } from "./api";
import { entryReason, pageReason } from "./reasons";
import { tagsIn } from "./tags";
import { folder } from "./testing";
import { mayMove, pathOf, positionAt, rowsOf } from "./tree";

const FOLDERS: readonly Folder[] = [
  folder("a", { name: "A" }),
  folder("b", { name: "B", position: 2 }),
  folder("a1", { name: "A1", parent_id: "a" }),
  folder("a11", { name: "A11", parent_id: "a1" }),
];

test("rows are in the order of the tree, without what is in closed folders", () => {
  const shown = (isOpen: (id: string) => boolean) => rowsOf(FOLDERS, isOpen).map(({ folder: { id } }) => id);
  expect(shown(() => true)).toEqual(["a", "a1", "a11", "b"]);
  expect(shown((id) => id === "a")).toEqual(["a", "a1", "b"]);
  expect(shown(() => false)).toEqual(["a", "b"]);
  expect(rowsOf(FOLDERS, () => true).map(({ level, path }) => `${level} ${path.join("/")}`)).toEqual([
    "1 A",
    "2 A/A1",
    "3 A/A1/A11",
    "1 B",
  ]);
});

test("a folder goes anywhere but into itself", () => {
  expect(pathOf(FOLDERS, "a11").map(({ id }) => id)).toEqual(["a", "a1", "a11"]);
  expect(mayMove(FOLDERS, "a", "a11")).toBe(false);
  expect(mayMove(FOLDERS, "a", "a")).toBe(false);
  expect(mayMove(FOLDERS, "a", "b")).toBe(true);
  expect(mayMove(FOLDERS, "a11", null)).toBe(true);
});

test("folders that are each other's parent end the path", () => {
  const round = [folder("x", { parent_id: "y" }), folder("y", { parent_id: "x" })];
  expect(pathOf(round, "x").length).toBeLessThan(5);
});

test("a position is between the neighbours, or beyond the end", () => {
  const others = [{ position: 1 }, { position: 2 }, { position: 4 }];
  expect(positionAt(others, 0, "before")).toBe(0);
  expect(positionAt(others, 1, "before")).toBe(1.5);
  expect(positionAt(others, 1, "after")).toBe(3);
  expect(positionAt(others, 2, "after")).toBe(5);
});

test("tags are separated by commas, each once", () => {
  expect(tagsIn(" bread,  sour   dough,,bread， 빵 ")).toEqual(["bread", "sour dough", "빵"]);
});

test("reasons the app knows are in its language; others are as the server said them", () => {
  const t = ((key: string) => key) as never;
  expect(pageReason("The site does not let MindHit read this page. (the site answered 403)", t)).toBe(
    "library.reasons.blocked (the site answered 403)",
  );
  expect(pageReason("Something new.", t)).toBe("Something new.");
  expect(entryReason("There is no address.", t)).toBe("library.import.failures.noAddress");
});
