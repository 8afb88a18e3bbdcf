/**
 * Where nodes are drawn. The server has placed all of them; where branches are collapsed, the rest moves together by
 * the same rule (`insight/mindmap/layout.py`), and what somebody has placed by hand keeps its distance from its place.
 * How large a node is drawn says how important it is among those of its type.
 */
import type { MapNode } from "./api";
import { ROOT, sideOf, visible, type Side, type Tree } from "./tree";

const GAP_X = 46;
const GAPS_Y = [26, 12, 5] as const;
/** The least important of its type; never larger than the room that the server has counted. */
const SMALLEST = 0.84;

/** A node as it is drawn; x and y are its centre. */
export interface Box {
  readonly node: MapNode;
  readonly side: Side;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export function arrange(tree: Tree, collapsed: ReadonlySet<string>): ReadonlyMap<string, Box> {
  const shown = visible(tree, collapsed);
  const points = shown.length === tree.map.nodes.length ? null : compacted(tree, shown);
  const most = new Map<string, number>();
  for (const { type, importance } of tree.map.nodes)
    most.set(type, Math.max(most.get(type) ?? 0.01, importance));
  return new Map(
    shown.map((node) => {
      const { x, y } = points?.get(node.id) ?? node.position;
      const share = node.type === "root" ? 1 : node.importance / (most.get(node.type) ?? 1);
      return [node.id, boxOf(node, sideOf(tree, node.id), x, y, SMALLEST + (1 - SMALLEST) * share)];
    }),
  );
}

/** Its edge towards the parent stays where it is. */
function boxOf(node: MapNode, side: Side, x: number, y: number, scale: number): Box {
  const { width, height } = node.size;
  const shift = node.id === ROOT ? 0 : (side * width * (scale - 1)) / 2;
  return { node, side, x: x + shift, y, width: width * scale, height: height * scale, scale };
}

/** As the rule has it with these nodes alone, plus what each was moved by hand. */
function compacted(tree: Tree, shown: readonly MapNode[]): ReadonlyMap<string, Point> {
  const all = tidy(tree, tree.map.nodes);
  const few = tidy(tree, shown);
  return new Map(
    shown.map(({ id, position }) => {
      const [from, to] = [all.get(id) ?? position, few.get(id) ?? position];
      return [id, { x: to.x + position.x - from.x, y: to.y + position.y - from.y }];
    }),
  );
}

function tidy(tree: Tree, nodes: readonly MapNode[]): ReadonlyMap<string, Point> {
  const shown = new Set(nodes.map(({ id }) => id));
  const childrenOf = (id: string) => (tree.children.get(id) ?? []).filter((child) => shown.has(child));
  const heights = new Map<string, number>();
  const stacked = (ids: readonly string[], depth: number) =>
    ids.reduce((sum, id) => sum + (heights.get(id) ?? 0), 0) + gap(depth) * Math.max(0, ids.length - 1);
  const depthOf = (id: string) => tree.depths.get(id) ?? 0;
  for (const { id, size } of [...nodes].reverse())
    heights.set(id, Math.max(size.height, stacked(childrenOf(id), depthOf(id))));
  const points = new Map<string, Point>([[ROOT, { x: 0, y: 0 }]]);
  const place = (parent: MapNode, ids: readonly string[], side: Side) => {
    const at = points.get(parent.id) ?? { x: 0, y: 0 };
    let top = at.y - stacked(ids, depthOf(parent.id)) / 2;
    for (const id of ids) {
      const height = heights.get(id) ?? 0;
      const width = tree.byId.get(id)?.size.width ?? 0;
      const x = at.x + side * (parent.size.width / 2 + GAP_X + width / 2);
      points.set(id, { x, y: top + height / 2 });
      top += height + gap(depthOf(parent.id));
    }
  };
  for (const node of nodes) {
    const ids = childrenOf(node.id);
    if (node.id === ROOT)
      for (const side of [1, -1] as const)
        place(
          node,
          ids.filter((id) => sideOf(tree, id) === side),
          side,
        );
    else place(node, ids, sideOf(tree, node.id));
  }
  return points;
}

function gap(depth: number): number {
  return GAPS_Y[Math.min(depth, GAPS_Y.length - 1)] ?? 0;
}

export function boundsOf(boxes: Iterable<Box>): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x - width / 2);
    right = Math.max(right, x + width / 2);
    top = Math.min(top, y - height / 2);
    bottom = Math.max(bottom, y + height / 2);
  }
  return left > right
    ? { left: 0, top: 0, width: 1, height: 1 }
    : { left, top, width: right - left, height: bottom - top };
}

/** The line from a node to its parent. */
export function curve(parent: Box, child: Box, dx = 0, dy = 0): string {
  const [cx, cy] = [child.x + dx, child.y + dy];
  const side = cx >= parent.x ? 1 : -1;
  const from = parent.x + (side * parent.width) / 2;
  const to = cx - (side * child.width) / 2;
  const middle = (from + to) / 2;
  return `M${num(from)} ${num(parent.y)}C${num(middle)} ${num(parent.y)} ${num(middle)} ${num(cy)} ${num(to)} ${num(cy)}`;
}

/** The bent line between two nodes that are related. */
export function arc(one: Box, other: Box): string {
  const bend = one.x * other.x < 0 ? 60 : 90 * (one.x > 0 ? 1 : -1);
  return `M${num(one.x)} ${num(one.y)}Q${num((one.x + other.x) / 2 + bend)} ${num((one.y + other.y) / 2)} ${num(other.x)} ${num(other.y)}`;
}

function num(value: number): string {
  return String(Math.round(value * 10) / 10);
}
