/** A session's mind map: drawn or as a list, searched, edited and taken along. Loaded when it is opened. */
import { useEffect, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent } from "react";
import { useTranslation } from "../i18n/translation";
import type { Visit } from "../session/api";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { FailureNotice, Notice } from "../ui/notice";
import type { Mindmap } from "./api";
import { arrange, boundsOf, type Bounds } from "./arrange";
import { Details, type Doing } from "./details";
import { LabelDialog, NodeDialog } from "./dialogs";
import { newId, useEditing, type Editing } from "./editing";
import { MadeBy } from "./made-by";
import { Outline } from "./outline";
import { Plane, type PlaneHandle } from "./plane";
import { Toolbar, type Mode } from "./toolbar";
import {
  collapsedBelow,
  labelOf,
  neighbour,
  opened,
  ROOT,
  search,
  sideOf,
  treeOf,
  visible,
  type Direction,
  type Tree,
} from "./tree";
import { LARGEST_FITTED } from "./view";
import styles from "./mindmap.module.css";

/** A larger map opens with its topics and subtopics. */
const ALL_SHOWN = 160;
const ZOOM_STEP = 1.35;

interface Props {
  readonly map: Mindmap;
  readonly visits: readonly Visit[];
  /** The visit that is pointed at elsewhere: its nodes light up. */
  readonly pointed: string | null;
  /** The visits of the node that is pointed at here. */
  readonly point: (visits: readonly string[] | null) => void;
}

/** What the frame's height is made of. As the map was at first: what is collapsed later moves nothing below it. */
function sizesOf({ width, height }: Bounds): CSSProperties {
  const sizes = { "--height-by-width": height / width, "--largest": `${LARGEST_FITTED * height}px` };
  return sizes as CSSProperties;
}

export default function MindmapView({ map, visits, pointed, point }: Props) {
  const tree = useMemo(() => treeOf(map), [map]);
  const editing = useEditing(map);
  const [mode, setMode] = useState<Mode>("map");
  const [doing, setDoing] = useState<Doing | "drop" | null>(null);
  const folds = useFolds(tree);
  const { collapsed } = folds;
  const boxes = useMemo(() => arrange(tree, collapsed), [tree, collapsed]);
  const plane = useRef<PlaneHandle>(null);
  const [atFirst] = useState(() => boundsOf(boxes.values()));
  const nodes = useNodes(tree, folds, plane, mode);
  const { selected, active, hovered } = nodes;
  const [words, setWords] = useState("");
  const found = useMemo(() => search(tree, words), [tree, words]);
  const foundSet = useMemo(() => new Set(found), [found]);
  const lit = useMemo(
    () => new Set(pointed === null ? [] : (tree.byVisit.get(pointed) ?? [])),
    [tree, pointed],
  );
  usePointing(tree, hovered ?? selected, point);
  const remove = (id: string) => {
    if (id === ROOT) return;
    const parent = tree.parents.get(id) ?? ROOT;
    editing.run([{ op: "delete", id }], () => {
      nodes.leave(parent);
    });
  };
  const onKeyDown = useNodeKeys({ tree, folds, nodes, editing, plane, remove, begin: setDoing });
  const common = { tree, collapsed, selected, active, found: foundSet, lit, hover: nodes.hover };
  return (
    <div className={styles["mindmap"]}>
      <Toolbar
        sessionId={map.session_id}
        mode={mode}
        setMode={setMode}
        words={words}
        setWords={setWords}
        found={found.length}
        next={(by) => {
          const at = found.indexOf(active);
          const id = found[(at + by + found.length) % found.length] ?? found[0];
          if (id !== undefined) nodes.go(id);
        }}
        deepest={tree.deepest}
        levels={folds.levels}
        setLevels={(levels) => {
          folds.setLevels(levels);
          plane.current?.fit();
        }}
        editing={editing}
        hasEdits={map.edits > 0}
        drop={() => {
          setDoing("drop");
        }}
      />
      <Said editing={editing} unplaced={map.unplaced} />
      <div className={styles["stage"]} style={sizesOf(atFirst)} data-open={selected !== null}>
        <div className={styles["frame"]}>
          {mode === "map" ? (
            <>
              <Plane
                {...common}
                boxes={boxes}
                hovered={hovered}
                handle={plane}
                select={nodes.select}
                toggle={folds.toggle}
                place={(id, x, y) => {
                  editing.run([{ op: "place", id, x, y }]);
                }}
                move={(id, parent) => {
                  if (parent !== tree.parents.get(id)) editing.run([{ op: "move", id, parent }]);
                }}
                onKeyDown={onKeyDown}
              />
              <Zoom plane={plane} />
            </>
          ) : (
            <Outline
              {...common}
              activate={nodes.activate}
              select={nodes.select}
              toggle={folds.toggle}
              onKeyDown={onKeyDown}
            />
          )}
        </div>
        {selected !== null && (
          <Details
            tree={tree}
            id={selected}
            visits={visits}
            begin={setDoing}
            remove={() => {
              remove(selected);
            }}
            disconnect={(other) => {
              editing.run([{ op: "disconnect", source: selected, target: other }]);
            }}
            go={nodes.go}
            close={() => {
              nodes.leave(selected);
            }}
          />
        )}
      </div>
      <MadeBy map={map} />
      <Doings
        tree={tree}
        id={selected ?? active}
        doing={doing}
        editing={editing}
        open={folds.open}
        select={nodes.select}
        close={() => {
          setDoing(null);
        }}
      />
    </div>
  );
}

interface Folds {
  readonly collapsed: ReadonlySet<string>;
  readonly levels: number | null;
  readonly setLevels: (levels: number) => void;
  readonly toggle: (id: string) => void;
  /** Until this node can be seen. */
  readonly open: (id: string) => void;
}

/** Which branches are collapsed. */
function useFolds(tree: Tree): Folds {
  const first = tree.map.nodes.length > ALL_SHOWN ? Math.min(2, tree.deepest) : tree.deepest;
  const [levels, setChosen] = useState<number | null>(first);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => collapsedBelow(tree, first));
  return {
    collapsed,
    levels,
    setLevels: (wanted) => {
      setChosen(wanted);
      setCollapsed(collapsedBelow(tree, wanted));
    },
    toggle: (id) => {
      if (id === ROOT || !tree.children.has(id)) return;
      setChosen(null);
      setCollapsed((before) => {
        const now = new Set(before);
        if (!now.delete(id)) now.add(id);
        return now;
      });
    },
    open: (id) => {
      setCollapsed((before) => opened(tree, before, id));
    },
  };
}

interface Nodes {
  readonly selected: string | null;
  /** What the Tab key comes to. */
  readonly active: string;
  readonly hovered: string | null;
  readonly hover: (id: string | null) => void;
  readonly activate: (id: string) => void;
  readonly select: (id: string) => void;
  /** Selects it, opens what hides it and moves the map to it. */
  readonly go: (id: string) => void;
  /** Closes the details; the focus goes to this node. */
  readonly leave: (id: string) => void;
}

function useNodes(tree: Tree, folds: Folds, plane: React.RefObject<PlaneHandle | null>, mode: Mode): Nodes {
  const [selected, setSelected] = useState<string | null>(null);
  const [active, setActive] = useState(ROOT);
  const [hovered, hover] = useState<string | null>(null);
  const aim = useRef<{ readonly id: string; readonly how: "reveal" | "focus" } | null>(null);
  // Once it is drawn where it is now.
  useEffect(() => {
    const target = aim.current;
    aim.current = null;
    if (target === null) return;
    if (target.how === "focus") plane.current?.focus(target.id);
    else plane.current?.reveal(target.id);
  });
  const shown = selected !== null && tree.byId.has(selected) ? selected : null;
  return {
    selected: shown,
    active: tree.byId.has(active) ? active : ROOT,
    hovered: hovered !== null && tree.byId.has(hovered) ? hovered : null,
    hover,
    activate: setActive,
    select: (id) => {
      setSelected(id);
      setActive(id);
    },
    go: (id) => {
      folds.open(id);
      setSelected(id);
      setActive(id);
      if (mode === "map") aim.current = { id, how: "reveal" };
    },
    leave: (id) => {
      setSelected(null);
      setActive(id);
      aim.current = { id, how: "focus" };
    },
  };
}

/** Says which visits are behind the node that is pointed at. */
function usePointing(tree: Tree, id: string | null, point: Props["point"]): void {
  const latest = useRef(point);
  useEffect(() => {
    latest.current = point;
  });
  useEffect(() => {
    const visits = id === null || id === ROOT ? undefined : tree.byId.get(id)?.related_page_visit_ids;
    latest.current(visits && visits.length > 0 ? visits : null);
  }, [tree, id]);
  useEffect(
    () => () => {
      latest.current(null);
    },
    [],
  );
}

interface KeyProps {
  readonly tree: Tree;
  readonly folds: Folds;
  readonly nodes: Nodes;
  readonly editing: Editing;
  readonly plane: React.RefObject<PlaneHandle | null>;
  readonly remove: (id: string) => void;
  readonly begin: (doing: Doing) => void;
}

const ARROWS: Readonly<Record<string, readonly [right: Direction, left: Direction]>> = {
  ArrowUp: ["up", "up"],
  ArrowDown: ["down", "down"],
  ArrowRight: ["out", "in"],
  ArrowLeft: ["in", "out"],
};

/** Keys on a node. The map goes to both sides: right is away from the root on one, and towards it on the other. */
function useNodeKeys({ tree, folds, nodes, editing, plane, remove, begin }: KeyProps) {
  const step = (id: string, key: string) => {
    const shown = visible(tree, folds.collapsed);
    const side = sideOf(tree, id);
    const direction = ARROWS[key]?.[side < 0 ? 1 : 0] ?? "out";
    const isRoot = id === ROOT;
    const wanted = key === "ArrowLeft" ? -1 : 1;
    const to = isRoot
      ? tree.children.get(ROOT)?.find((child) => sideOf(tree, child) === wanted)
      : neighbour(tree, shown, id, direction);
    if (to === undefined) return;
    nodes.activate(to);
    plane.current?.focus(to);
    if (nodes.selected !== null) nodes.select(to);
  };
  return (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).dataset["node"];
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "z") {
      if (event.shiftKey) editing.redo?.();
      else editing.undo?.();
      event.preventDefault();
      return;
    }
    if (id === undefined || isCommand || event.altKey) return;
    const act = {
      Enter: () => {
        nodes.select(id);
      },
      " ": () => {
        folds.toggle(id);
      },
      Escape: () => {
        nodes.leave(id);
      },
      F2: () => {
        nodes.select(id);
        begin("rename");
      },
      Insert: () => {
        nodes.select(id);
        begin("add");
      },
      Delete: () => {
        remove(id);
      },
      "+": () => plane.current?.zoom(ZOOM_STEP),
      "-": () => plane.current?.zoom(1 / ZOOM_STEP),
      "0": () => plane.current?.fit(),
    }[event.key];
    if (act) act();
    else if (event.key in ARROWS) step(id, event.key);
    else return;
    event.preventDefault();
  };
}

function Zoom({ plane }: { readonly plane: React.RefObject<PlaneHandle | null> }) {
  const { t } = useTranslation();
  return (
    <div className={styles["zoom"]}>
      <Button aria-label={t("mindmap.zoomIn")} onClick={() => plane.current?.zoom(ZOOM_STEP)}>
        +
      </Button>
      <Button aria-label={t("mindmap.zoomOut")} onClick={() => plane.current?.zoom(1 / ZOOM_STEP)}>
        −
      </Button>
      <Button onClick={() => plane.current?.fit()}>{t("mindmap.fit")}</Button>
    </div>
  );
}

/** What became of the last change. */
function Said({ editing, unplaced }: { readonly editing: Editing; readonly unplaced: number }) {
  const { t } = useTranslation();
  return (
    <>
      <FailureNotice failure={editing.action.failure} />
      {editing.isOvertaken && <Notice tone="bad">{t("mindmap.overtaken")}</Notice>}
      {unplaced > 0 && <Notice>{t("mindmap.unplaced", { count: unplaced })}</Notice>}
    </>
  );
}

interface DoingsProps {
  readonly tree: Tree;
  readonly id: string;
  readonly doing: Doing | "drop" | null;
  readonly editing: Editing;
  readonly open: (id: string) => void;
  readonly select: (id: string) => void;
  readonly close: () => void;
}

function Doings({ tree, id, doing, editing, open, select, close }: DoingsProps) {
  const { t } = useTranslation();
  if (doing === "rename")
    return (
      <LabelDialog
        title={t("mindmap.edit.renameTitle")}
        submit={t("ui.save")}
        label={labelOf(tree, id)}
        done={(label) => {
          if (label !== labelOf(tree, id)) editing.run([{ op: "rename", id, label }]);
        }}
        close={close}
      />
    );
  if (doing === "add")
    return (
      <LabelDialog
        title={t("mindmap.edit.addTitle", { label: labelOf(tree, id) })}
        submit={t("mindmap.edit.addSubmit")}
        label=""
        done={(label) => {
          const added = newId();
          editing.run([{ op: "add", id: added, parent: id, label }], () => {
            open(added);
            select(added);
          });
        }}
        close={close}
      />
    );
  if (doing === "move" || doing === "connect")
    return (
      <NodeDialog
        tree={tree}
        id={id}
        doing={doing}
        done={(other) => {
          editing.run(
            doing === "move"
              ? [{ op: "move", id, parent: other }]
              : [{ op: "connect", source: id, target: other }],
          );
        }}
        close={close}
      />
    );
  if (doing === "drop")
    return (
      <ConfirmDialog
        title={t("mindmap.dropTitle")}
        text={t("mindmap.dropText")}
        confirm={t("mindmap.dropEdits")}
        action={{
          ...editing.action,
          run: () => {
            close();
            editing.drop();
          },
        }}
        close={close}
      />
    );
  return null;
}
