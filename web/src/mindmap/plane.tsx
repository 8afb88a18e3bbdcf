/**
 * The map as it is drawn: nodes are elements with real text, placed once; moving and zooming change one transform.
 * 2,000 nodes are drawn in one go, so nothing here is done per node while a hand moves (`bench/web.py`).
 */
import {
  memo,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type Ref,
} from "react";
import { useTranslation } from "../i18n/translation";
import { boundsOf, curve, type Box } from "./arrange";
import { Lines, Relations } from "./lines";
import { useGestures } from "./gestures";
import { labelFonts, measured, type LabelFonts } from "./label-fonts";
import { subtree, type Tree } from "./tree";
import { fitted, revealing, zoomed, type Point, type View } from "./view";
import styles from "./plane.module.css";

/** Below this, labels can't be read and aren't drawn. */
const READABLE = 0.28;
/** Fonts differ: a label may take this much more than the server has counted; the gap beside it is wider. */
const ROOM_PX = 34;
/** Letters from which a label may have to be cut. */
const LONG = 44;
/** One for each branch, in turn. */
const HUES = [172, 48, 262, 345, 118, 300, 22, 222] as const;

export interface PlaneHandle {
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly reveal: (id: string) => void;
  readonly focus: (id: string) => void;
}

interface Props {
  readonly tree: Tree;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly collapsed: ReadonlySet<string>;
  readonly selected: string | null;
  readonly active: string;
  readonly hovered: string | null;
  readonly found: ReadonlySet<string>;
  readonly lit: ReadonlySet<string>;
  readonly handle: Ref<PlaneHandle>;
  readonly hover: (id: string | null) => void;
  readonly select: (id: string) => void;
  readonly toggle: (id: string) => void;
  readonly place: (id: string, x: number, y: number) => void;
  readonly move: (id: string, parent: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function Plane(props: Props) {
  const { tree, boxes, collapsed, selected, active, hovered, found, lit } = props;
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const { viewOf, look, fit } = useView(area, plane, boxes);
  const [fonts] = useState(() => labelFonts(measured));
  const carrying = useCarrying(plane, tree, boxes);
  const gestures = useGestures(area, {
    view: viewOf,
    look,
    lift: carrying.lift,
    carry: carrying.carry,
    drop: (id, dx, dy, pointer) => {
      const target = carrying.end(pointer);
      const at = tree.byId.get(id)?.position;
      if (target !== null) props.move(id, target);
      else if (at) props.place(id, at.x + dx, at.y + dy);
    },
    cancel: () => {
      carrying.end(null);
    },
  });
  const focus = (id: string) => {
    plane.current
      ?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)
      ?.focus({ preventScroll: true });
  };
  const reveal = (id: string) => {
    const box = boxes.get(id);
    const size = area.current;
    if (box && size) look(revealing(viewOf(), box, { width: size.clientWidth, height: size.clientHeight }));
  };
  useImperativeHandle(props.handle, () => ({
    fit,
    reveal,
    focus,
    zoom: (factor) => {
      const { clientWidth = 0, clientHeight = 0 } = area.current ?? {};
      look(zoomed(viewOf(), { x: clientWidth / 2, y: clientHeight / 2 }, factor));
    },
  }));
  const groups = useMemo(() => grouped(tree, boxes), [tree, boxes]);
  return (
    <div
      ref={area}
      className={styles["area"]}
      data-searching={found.size > 0}
      data-pointing={lit.size > 0}
      onPointerOver={(event) => {
        props.hover(nodeOf(event.target));
      }}
      onPointerLeave={() => {
        props.hover(null);
      }}
      onClick={(event) => {
        if (gestures.wasDragged()) return;
        const id = nodeOf(event.target);
        if (id === null) return;
        if ((event.target as Element).closest("[data-toggle]")) props.toggle(id);
        else props.select(id);
      }}
    >
      <div
        ref={plane}
        className={styles["plane"]}
        role="tree"
        aria-label={t("mindmap.label")}
        onKeyDown={props.onKeyDown}
        onFocus={(event) => {
          // The browser would scroll the area instead.
          area.current?.scrollTo(0, 0);
          const id = nodeOf(event.target);
          if (id !== null && event.target.matches(":focus-visible")) reveal(id);
        }}
      >
        <Lines tree={tree} boxes={boxes} hues={HUES} />
        {groups.map(({ branch, nodes }) => (
          <Branch
            key={branch}
            branch={branch}
            nodes={nodes}
            tree={tree}
            collapsed={collapsed}
            selected={ownOf(nodes, selected)}
            active={ownOf(nodes, active)}
            found={found}
            lit={lit}
            fonts={fonts}
          />
        ))}
        <Relations tree={tree} boxes={boxes} of={hovered ?? selected} />
      </div>
    </div>
  );
}

/** Null for the branches that it isn't in, which then need no second look. */
function ownOf(nodes: readonly Box[], id: string | null): string | null {
  return nodes.some(({ node }) => node.id === id) ? id : null;
}

function nodeOf(target: EventTarget): string | null {
  return target instanceof Element
    ? (target.closest<HTMLElement>("[data-node]")?.dataset["node"] ?? null)
    : null;
}

function grouped(tree: Tree, boxes: ReadonlyMap<string, Box>) {
  const groups = new Map<number, Box[]>();
  for (const box of boxes.values()) {
    const branch = tree.branches.get(box.node.id) ?? -1;
    const group = groups.get(branch);
    if (group) group.push(box);
    else groups.set(branch, [box]);
  }
  return [...groups].map(([branch, nodes]) => ({ branch, nodes }));
}

function showAt(plane: HTMLElement, { x, y, scale }: View): void {
  plane.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  const isFar = String(scale < READABLE);
  if (plane.dataset["far"] !== isFar) plane.dataset["far"] = isFar;
}

/** Where the map is looked at; kept out of React, because it changes with every frame of a drag. */
function useView(
  area: React.RefObject<HTMLDivElement | null>,
  plane: React.RefObject<HTMLDivElement | null>,
  boxes: ReadonlyMap<string, Box>,
) {
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const isTouched = useRef(false);
  const latest = useRef(boxes);
  const show = (wanted: View) => {
    view.current = wanted;
    if (plane.current) showAt(plane.current, wanted);
  };
  const look = (wanted: View) => {
    isTouched.current = true;
    show(wanted);
  };
  const fit = () => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = area.current ?? {};
    isTouched.current = false;
    if (width > 0 && height > 0) show(fitted(boundsOf(latest.current.values()), { width, height }));
  };
  const fitLater = useRef(fit);
  useLayoutEffect(() => {
    latest.current = boxes;
    fitLater.current = fit;
    if (!isTouched.current) fit();
  });
  useEffect(() => {
    const element = area.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      if (!isTouched.current) fitLater.current();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [area]);
  return { viewOf: () => view.current, look, fit };
}

/** A node in the hand, with all that hangs on it. */
function useCarrying(
  plane: React.RefObject<HTMLDivElement | null>,
  tree: Tree,
  boxes: ReadonlyMap<string, Box>,
) {
  const held = useRef<{
    readonly ids: ReadonlySet<string>;
    readonly elements: readonly HTMLElement[];
    target: string | null;
  } | null>(null);
  const elementOf = (id: string) =>
    plane.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`) ?? null;
  const targetAt = ({ x, y }: Point): string | null => {
    for (const box of boxes.values())
      if (
        held.current?.ids.has(box.node.id) === false &&
        Math.abs(x - box.x) <= box.width / 2 &&
        Math.abs(y - box.y) <= box.height / 2
      )
        return box.node.id;
    return null;
  };
  const mark = (target: string | null) => {
    const now = held.current;
    if (now?.target === target) return;
    if (now?.target) elementOf(now.target)?.removeAttribute("data-target");
    if (target !== null) elementOf(target)?.setAttribute("data-target", "true");
    if (now) now.target = target;
  };
  return {
    lift: (id: string): boolean => {
      if (tree.parents.get(id) === undefined) return false; // the root: the map is meant
      const ids = subtree(tree, id);
      const elements = [...ids].map(elementOf).filter((element) => element !== null);
      for (const element of elements) element.dataset["held"] = "true";
      held.current = { ids, elements, target: null };
      return true;
    },
    carry: (id: string, dx: number, dy: number, pointer: Point) => {
      for (const element of held.current?.elements ?? []) element.style.translate = `${dx}px ${dy}px`;
      const [box, parent] = [boxes.get(id), boxes.get(tree.parents.get(id) ?? "")];
      const line = plane.current?.querySelector("[data-carried]");
      if (box && parent) line?.setAttribute("d", curve(parent, box, dx, dy));
      mark(targetAt(pointer));
    },
    /** Back to where it was, until the server has placed it. Which node it was dropped on, if any. */
    end: (pointer: Point | null): string | null => {
      const target = pointer === null ? null : targetAt(pointer);
      mark(null);
      for (const element of held.current?.elements ?? []) {
        element.style.translate = "";
        delete element.dataset["held"];
      }
      plane.current?.querySelector("[data-carried]")?.setAttribute("d", "");
      held.current = null;
      return target;
    },
  };
}

interface BranchProps {
  readonly branch: number;
  readonly nodes: readonly Box[];
  readonly tree: Tree;
  readonly collapsed: ReadonlySet<string>;
  readonly selected: string | null;
  readonly active: string | null;
  readonly found: ReadonlySet<string>;
  readonly lit: ReadonlySet<string>;
  readonly fonts: LabelFonts;
}

const Branch = memo(function Branch(props: BranchProps) {
  const { branch, nodes, tree, collapsed, selected, active, found, lit, fonts } = props;
  const style = { "--hue": HUES[branch % HUES.length] ?? HUES[0], "--lift": "-6%" } as CSSProperties;
  return (
    <div role="none" data-tinted style={style}>
      {nodes.map((box) => {
        const { id } = box.node;
        const children = tree.children.get(id)?.length ?? 0;
        return (
          <Node
            key={id}
            box={box}
            depth={tree.depths.get(id) ?? 0}
            hidden={collapsed.has(id) ? subtree(tree, id).size - 1 : 0}
            hasChildren={children > 0}
            isSelected={id === selected}
            isActive={id === active}
            isFound={found.has(id)}
            isLit={lit.has(id)}
            font={fonts[box.node.type]}
          />
        );
      })}
    </div>
  );
});

interface NodeProps {
  readonly box: Box;
  readonly depth: number;
  /** How many nodes are collapsed into it. */
  readonly hidden: number;
  readonly hasChildren: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isFound: boolean;
  readonly isLit: boolean;
  /** Of the most important of its type, in pixels. */
  readonly font: number;
}

const Node = memo(function Node(props: NodeProps) {
  const { box, depth, hidden, hasChildren, isSelected, isActive, isFound, isLit, font } = props;
  const { node, side, y, width, height, scale } = box;
  return (
    <div
      className={styles["node"]}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? hidden === 0 : undefined}
      tabIndex={isActive ? 0 : -1}
      data-node={node.id}
      data-type={node.type}
      data-by={node.by === "reader" ? "reader" : undefined}
      data-found={isFound || undefined}
      data-lit={isLit || undefined}
      data-side={side < 0 ? "left" : "right"}
      data-long={node.label.length > LONG || undefined}
      style={{
        // No transform: 2,000 of them cost 15 ms of every frame that the map moves.
        ...edgeOf(box),
        top: y - height / 2,
        minWidth: width,
        maxWidth: width + ROOM_PX,
        height,
        fontSize: scale * font,
      }}
    >
      <bdi className={styles["words"]}>{node.label}</bdi>
      {hasChildren && depth > 0 && (
        <span className={styles["toggle"]} data-toggle data-hidden={hidden > 0} aria-hidden="true">
          {hidden > 0 ? `+${hidden}` : "−"}
        </span>
      )}
    </div>
  );
});

/** The edge towards the parent stays where it is, however wide the browser's font is. */
function edgeOf({ node, side, x, width }: Box): CSSProperties {
  if (node.type === "root") return { left: x, translate: "-50%" };
  return side > 0 ? { left: x - width / 2 } : { right: -x - width / 2 };
}
