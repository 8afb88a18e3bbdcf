import { memo, useMemo, type CSSProperties } from "react";
import { arc, curve, type Box } from "./arrange";
import type { Tree } from "./tree";
import styles from "./plane.module.css";

/** As thick as they are drawn on paper (`insight/mindmap/drawing.py`), in three steps. */
const WIDTHS = [1.4, 2.2, 3.2] as const;

interface LinesProps {
  readonly tree: Tree;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly hues: readonly number[];
}

/** From every node to its parent; the lines of a branch that are equally thick are one path. */
export const Lines = memo(function Lines({ tree, boxes, hues }: LinesProps) {
  const paths = useMemo(() => {
    const found = new Map<string, { branch: number; width: number; d: string[] }>();
    for (const box of boxes.values()) {
      const parent = boxes.get(tree.parents.get(box.node.id) ?? "");
      if (!parent) continue;
      const branch = tree.branches.get(box.node.id) ?? 0;
      const width = WIDTHS[Math.min(2, Math.floor(box.node.importance * 3))] ?? 1;
      const key = `${branch % hues.length} ${width}`;
      const path = found.get(key) ?? { branch: branch % hues.length, width, d: [] };
      path.d.push(curve(parent, box));
      found.set(key, path);
    }
    return [...found].map(([key, { branch, width, d }]) => ({ key, branch, width, d: d.join("") }));
  }, [tree, boxes, hues]);
  return (
    <svg className={styles["lines"]} aria-hidden="true">
      {paths.map(({ key, branch, width, d }) => (
        <path
          key={key}
          d={d}
          strokeWidth={width}
          data-tinted
          style={{ "--hue": hues[branch], "--lift": "-6%" } as CSSProperties}
        />
      ))}
      <path className={styles["carried"]} data-carried d="" />
    </svg>
  );
});

interface RelationsProps {
  readonly tree: Tree;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly of: string | null;
}

/** What a node is related to across the tree. */
export function Relations({ tree, boxes, of }: RelationsProps) {
  const from = of === null ? undefined : boxes.get(of);
  if (!from || of === null) return null;
  return (
    <svg className={styles["relations"]} aria-hidden="true">
      {(tree.related.get(of) ?? []).map((id) => {
        const to = boxes.get(id);
        return to && <path key={id} d={arc(from, to)} />;
      })}
    </svg>
  );
}
