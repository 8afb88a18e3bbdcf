/** The map as a list: the same nodes, the same keys, one below the other (the ARIA tree pattern). */
import { useMemo, useRef, type CSSProperties, type KeyboardEvent } from "react";
import { useTranslation } from "../i18n/translation";
import { Icon } from "../ui/icons";
import { inWords } from "../ui/time/durations";
import { visible, type Tree } from "./tree";
import styles from "./outline.module.css";

interface Props {
  readonly tree: Tree;
  readonly collapsed: ReadonlySet<string>;
  readonly selected: string | null;
  readonly active: string;
  readonly found: ReadonlySet<string>;
  readonly lit: ReadonlySet<string>;
  readonly hover: (id: string | null) => void;
  readonly activate: (id: string) => void;
  readonly select: (id: string) => void;
  readonly toggle: (id: string) => void;
  /** Keys that do the same in map and list. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function Outline(props: Props) {
  const { tree, collapsed, selected, active, found, lit } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const rows = useMemo(() => inOrder(tree, collapsed), [tree, collapsed]);
  const tabbed = rows.includes(active) ? active : rows[0];
  const go = (id: string | undefined) => {
    if (id === undefined) return;
    props.activate(id);
    list.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).dataset["node"];
    if (id === undefined) return;
    const index = rows.indexOf(id);
    const isOpen = tree.children.has(id) && !collapsed.has(id);
    if (event.key === "ArrowDown") go(rows[index + 1]);
    else if (event.key === "ArrowUp") go(rows[index - 1]);
    else if (event.key === "Home") go(rows[0]);
    else if (event.key === "End") go(rows.at(-1));
    else if (event.key === "ArrowRight" && collapsed.has(id)) props.toggle(id);
    else if (event.key === "ArrowRight" && isOpen) go(rows[index + 1]);
    else if (event.key === "ArrowLeft" && isOpen) props.toggle(id);
    else if (event.key === "ArrowLeft") go(tree.parents.get(id));
    else {
      props.onKeyDown(event);
      return;
    }
    event.preventDefault();
  };
  return (
    <ul
      ref={list}
      className={styles["outline"]}
      role="tree"
      aria-label={t("mindmap.label")}
      data-pointing={found.size > 0 || lit.size > 0}
      onKeyDown={onKeyDown}
      onPointerLeave={() => {
        props.hover(null);
      }}
    >
      {rows.map((id) => {
        const node = tree.byId.get(id);
        const depth = tree.depths.get(id) ?? 0;
        const hasChildren = tree.children.has(id);
        return (
          node && (
            <li
              key={id}
              className={styles["row"]}
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={id === selected}
              aria-expanded={hasChildren ? !collapsed.has(id) : undefined}
              tabIndex={id === tabbed ? 0 : -1}
              data-node={id}
              data-type={node.type}
              data-marked={found.has(id) || lit.has(id) || undefined}
              style={{ "--depth": depth } as CSSProperties}
              onPointerEnter={() => {
                props.hover(id);
              }}
              onClick={() => {
                props.select(id);
              }}
            >
              <span
                className={styles["toggle"]}
                data-open={hasChildren && !collapsed.has(id)}
                onClick={(event) => {
                  if (!hasChildren) return;
                  event.stopPropagation();
                  props.toggle(id);
                }}
              >
                {hasChildren && <Icon name="right" />}
              </span>
              <bdi className={styles["words"]}>{node.label}</bdi>
              <span className={styles["time"]}>
                {node.metadata.total_duration_ms > 0 && inWords(node.metadata.total_duration_ms, t)}
              </span>
            </li>
          )
        );
      })}
    </ul>
  );
}

/** As one reads: a node, then all that hangs on it. */
export function inOrder(tree: Tree, collapsed: ReadonlySet<string>): readonly string[] {
  const shown = new Set(visible(tree, collapsed).map(({ id }) => id));
  const rows: string[] = [];
  const left = tree.map.nodes.slice(0, 1).map(({ id }) => id);
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    rows.push(id);
    left.push(...(tree.children.get(id) ?? []).filter((child) => shown.has(child)).reverse());
  }
  return rows;
}
