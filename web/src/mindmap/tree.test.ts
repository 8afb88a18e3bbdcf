import { expect, test } from "vitest";
import { arrange, boundsOf, type Box } from "./arrange";
import { inOrder } from "./outline";
import { map, nodeOf } from "./testing";
import { collapsedBelow, neighbour, opened, pathTo, search, sideOf, subtree, treeOf, visible } from "./tree";
import { fitted, pointAt, revealing, zoomed } from "./view";

const tree = treeOf(map);
const none: ReadonlySet<string> = new Set();
const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id);

test("a tree knows depth, branch, relations and the nodes of a visit", () => {
  expect(tree.depths.get("subtopic-rye")).toBe(2);
  expect(tree.branches.get("subtopic-rye")).toBe(0);
  expect(tree.branches.get("topic-tea")).toBe(1);
  expect(tree.related.get("topic-tea")).toEqual(["subtopic-rye"]);
  expect(tree.byVisit.get(map.nodes[3]?.related_page_visit_ids[0] ?? "")).toEqual([
    "topic-bread",
    "subtopic-rye",
  ]);
  expect(pathTo(tree, "subtopic-rye")).toEqual(["topic-bread", "subtopic-rye"]);
});

test("what hangs on a collapsed node isn't shown; to reach it, what hides it opens", () => {
  const collapsed = collapsedBelow(tree, 1);
  expect(ids(visible(tree, collapsed))).toEqual(["root", "topic-bread", "topic-tea"]);
  expect([...opened(tree, collapsed, "subtopic-rye")]).toEqual([]);
  expect([...opened(tree, collapsed, "topic-tea")]).toEqual(["topic-bread"]);
});

test("the list has every node below its parent", () => {
  expect(inOrder(tree, none)).toEqual(["root", "topic-bread", "subtopic-rye", "subtopic-spelt", "topic-tea"]);
});

test("a search finds all words, in any case", () => {
  expect(search(tree, "SOUR first")).toEqual(["root"]);
  expect(search(tree, "  ")).toEqual([]);
});

test("neighbours are on the same side and at the same depth", () => {
  expect(neighbour(tree, map.nodes, "subtopic-rye", "down")).toBe("subtopic-spelt");
  expect(neighbour(tree, map.nodes, "subtopic-spelt", "down")).toBeUndefined();
  expect(neighbour(tree, map.nodes, "topic-bread", "up")).toBeUndefined(); // tea is on the other side
  expect(neighbour(tree, map.nodes, "topic-bread", "out")).toBe("subtopic-rye");
  expect(neighbour(tree, map.nodes, "subtopic-rye", "in")).toBe("topic-bread");
});

test("with everything open, nodes are where the server has put them", () => {
  const boxes = arrange(tree, none);
  expect(boxes.get("topic-bread")).toMatchObject({ y: 0, side: 1 });
  expect(boxes.get("topic-tea")).toMatchObject({ y: 0, side: -1 });
  expect([...boxes.values()].map(({ y }) => y)).toEqual([0, 0, 0, -21, 21]);
});

test("the more important, the larger; the edge towards the parent stays", () => {
  const boxes = arrange(tree, none);
  const [rye, spelt] = [boxes.get("subtopic-rye"), boxes.get("subtopic-spelt")] as [Box, Box];
  expect(rye.width).toBeGreaterThan(spelt.width);
  expect(rye.x - rye.width / 2).toBeCloseTo(242);
  expect(spelt.x - spelt.width / 2).toBeCloseTo(242);
});

/** Three topics on the right with nine leaves each, as the server would place them; the last was moved by hand. */
function tall() {
  const nodes = [nodeOf("root", "All")];
  const edges: { id: string; source: string; target: string; type: "parent" }[] = [];
  const put = (id: string, parent: string, x: number, y: number) => {
    nodes.push(nodeOf(id, id, { position: { x, y } }));
    edges.push({ id: `e${id}`, source: parent, target: id, type: "parent" });
  };
  const block = 9 * 30 + 8 * 12;
  for (const n of [0, 1, 2]) {
    const middle = (n - 1) * (block + 26);
    const moved = n === 2 ? 500 : 0;
    put(`topic-${n}`, "root", 146 + moved, middle);
    for (let leaf = 0; leaf < 9; leaf += 1)
      put(`subtopic-${n}${leaf}`, `topic-${n}`, 292 + moved, middle + (leaf - 4) * 42);
  }
  const order = [...nodes].sort((one, other) => Number(one.id.length > 8) - Number(other.id.length > 8));
  return treeOf({ ...map, nodes: order, edges });
}

test("collapsed branches leave no gap, nothing overlaps, and what was placed by hand stays beside its place", () => {
  const whole = tall();
  const boxes = arrange(whole, new Set(["topic-0", "topic-1"]));
  const [first, second, third] = ["topic-0", "topic-1", "topic-2"].map((id) => boxes.get(id)) as [
    Box,
    Box,
    Box,
  ];
  expect(second.y - first.y).toBeCloseTo(30 + 26);
  expect(third.x - second.x).toBeCloseTo(500);
  const all = [...boxes.values()];
  for (const [n, one] of all.entries())
    for (const other of all.slice(n + 1))
      expect(
        Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
          Math.abs(one.y - other.y) >= (one.height + other.height) / 2,
      ).toBe(true);
});

test("a node carries everything that hangs on it", () => {
  expect([...subtree(tree, "topic-bread")]).toEqual(["topic-bread", "subtopic-rye", "subtopic-spelt"]);
  expect(sideOf(tree, "topic-tea")).toBe(-1);
});

test("a map is fitted into its frame, but not blown up", () => {
  const size = { width: 800, height: 600 };
  const wide = fitted({ left: -2_000, top: -10, width: 4_000, height: 20 }, size);
  expect(wide.scale).toBeCloseTo(728 / 4_000);
  expect(pointAt(wide, { x: 400, y: 300 })).toEqual({ x: 0, y: 0 });
  expect(fitted(boundsOf([]), size).scale).toBe(1.15);
});

test("what is under the pointer stays there while zooming", () => {
  const view = { x: 10, y: 20, scale: 0.5 };
  const at = { x: 100, y: 80 };
  expect(pointAt(zoomed(view, at, 2), at)).toEqual(pointAt(view, at));
  expect(zoomed(view, at, 1_000).scale).toBe(2.5);
});

test("a node that is in sight moves nothing, one outside is brought in", () => {
  const view = { x: 0, y: 0, scale: 1 };
  const size = { width: 800, height: 600 };
  expect(revealing(view, { x: 400, y: 300 }, size)).toEqual(view);
  expect(revealing(view, { x: 1_000, y: 300 }, size)).toEqual({ x: -280, y: 0, scale: 1 });
  expect(revealing({ ...view, scale: 0.1 }, { x: 0, y: 0 }, size).scale).toBe(0.9);
});
