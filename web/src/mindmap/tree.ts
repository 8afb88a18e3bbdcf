/**
 * A mind map as a tree: who hangs on whom, what is shown when branches are collapsed, and which nodes have a visit.
 * Pure; the map and the list are two views of it.
 */
import type { MapNode, Mindmap } from "./api";

export const ROOT = "root";

export interface Tree {
  readonly map: Mindmap;
  readonly byId: ReadonlyMap<string, MapNode>;
  readonly parents: ReadonlyMap<string, string>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly depths: ReadonlyMap<string, number>;
  /** The number of the root's child that a node belongs to; the root has none. */
  readonly branches: ReadonlyMap<string, number>;
  /** Across the tree, both ways. */
  readonly related: ReadonlyMap<string, readonly string[]>;
  /** Visit → the nodes that have its page. */
  readonly byVisit: ReadonlyMap<string, readonly string[]>;
  readonly deepest: number;
}

export function treeOf(map: Mindmap): Tree {
  const byId = new Map(map.nodes.map((node) => [node.id, node]));
  const parents = new Map<string, string>();
  const children = new Map<string, string[]>();
  const related = new Map<string, string[]>();
  for (const { source, target, type } of map.edges)
    if (type === "parent") parents.set(target, source);
    else {
      push(related, source, target);
      push(related, target, source);
    }
  // In the order of the nodes, which is that of drawing: siblings by importance.
  for (const { id } of map.nodes) {
    const parent = parents.get(id);
    if (parent !== undefined) push(children, parent, id);
  }
  const depths = new Map<string, number>();
  const branches = new Map<string, number>();
  for (const { id } of map.nodes) {
    const parent = parents.get(id);
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(id, depth);
    if (depth === 1) branches.set(id, (children.get(ROOT) ?? []).indexOf(id));
    else if (parent !== undefined && depth > 1) branches.set(id, branches.get(parent) ?? 0);
  }
  const byVisit = new Map<string, string[]>();
  for (const { id, related_page_visit_ids } of map.nodes)
    for (const visit of related_page_visit_ids) push(byVisit, visit, id);
  return {
    map,
    byId,
    parents,
    children,
    depths,
    branches,
    related,
    byVisit,
    deepest: Math.max(0, ...depths.values()),
  };
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Parents first, without what hangs on collapsed nodes. */
export function visible(tree: Tree, collapsed: ReadonlySet<string>): readonly MapNode[] {
  const hidden = new Set<string>();
  return tree.map.nodes.filter(({ id }) => {
    const parent = tree.parents.get(id);
    const isHidden = parent !== undefined && (collapsed.has(parent) || hidden.has(parent));
    if (isHidden) hidden.add(id);
    return !isHidden;
  });
}

/** What to collapse so that this many levels below the root are shown. */
export function collapsedBelow(tree: Tree, levels: number): ReadonlySet<string> {
  return new Set(
    tree.map.nodes
      .filter(({ id }) => (tree.depths.get(id) ?? 0) >= levels && tree.children.has(id))
      .map(({ id }) => id),
  );
}

/** The node and all that hangs on it. */
export function subtree(tree: Tree, id: string): ReadonlySet<string> {
  const found = new Set([id]);
  for (const each of found) for (const child of tree.children.get(each) ?? []) found.add(child);
  return found;
}

/** From below the root down to the node. */
export function pathTo(tree: Tree, id: string): readonly string[] {
  const path: string[] = [];
  for (let at: string | undefined = id; at !== undefined && at !== ROOT; at = tree.parents.get(at))
    path.unshift(at);
  return path;
}

export function labelOf(tree: Tree, id: string): string {
  return tree.byId.get(id)?.label ?? "";
}

/** Nodes whose label has all the words, in the order of the map. */
export function search(tree: Tree, words: string): readonly string[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  return tree.map.nodes
    .filter(({ label }) => {
      const text = label.toLocaleLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map(({ id }) => id);
}

/** Without the branches that hide this node. */
export function opened(tree: Tree, collapsed: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const above = new Set(pathTo(tree, id).slice(0, -1)).add(ROOT);
  return [...above].some((each) => collapsed.has(each))
    ? new Set([...collapsed].filter((each) => !above.has(each)))
    : collapsed;
}

export type Direction = "up" | "down" | "in" | "out";

/** The node beside this one: its parent, its first child, or its neighbour among what is shown at its depth. */
export function neighbour(
  tree: Tree,
  shown: readonly MapNode[],
  id: string,
  direction: Direction,
): string | undefined {
  if (direction === "in") return tree.parents.get(id);
  const ids = new Set(shown.map((node) => node.id));
  if (direction === "out") return tree.children.get(id)?.find((child) => ids.has(child));
  const side = sideOf(tree, id);
  const level = shown
    .filter((node) => tree.depths.get(node.id) === tree.depths.get(id) && sideOf(tree, node.id) === side)
    .sort((one, other) => one.position.y - other.position.y);
  const at = level.findIndex((node) => node.id === id);
  return level[at + (direction === "up" ? -1 : 1)]?.id;
}

export type Side = 1 | -1;

/** Right of the root, or left of it: where its branch begins. */
export function sideOf(tree: Tree, id: string): Side {
  const [top] = pathTo(tree, id);
  return (tree.byId.get(top ?? ROOT)?.position.x ?? 0) < 0 ? -1 : 1;
}
