/** The folders as a tree (the ARIA tree pattern): arrows go through it, Alt with arrows moves a folder among its neighbours. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { navigate } from "../app/router";
import { useWindowedRows } from "../ui/hooks/use-windowed-rows";
import { Icon } from "../ui/icons";
import { Trouble, Waiting } from "../ui/notice";
import { size } from "../ui/styles/tokens";
import layout from "../ui/styles/layout.module.css";
import { foldersQuery, type Folder } from "./api";
import { dragHandlers, useDropTarget, useMoving } from "./moving";
import { pathOf, positionAt, rowsOf, type TreeRow } from "./tree";
import styles from "./tree.module.css";

const ROW_PX = size("library-folder-height");

export function FolderTree({ selected }: { readonly selected: string | null }) {
  const { t } = useTranslation();
  const folders = useQuery(foldersQuery);
  return (
    <section className={styles["folders"]} aria-labelledby="folders-title">
      <h2 id="folders-title">{t("library.folders")}</h2>
      {folders.data ? (
        folders.data.length > 0 ? (
          <Tree folders={folders.data} selected={selected} />
        ) : (
          <p className={layout["soft"]}>{t("library.noFolders")}</p>
        )
      ) : folders.error ? (
        <Trouble error={folders.error} retry={folders.refetch} />
      ) : (
        <Waiting />
      )}
    </section>
  );
}

interface Props {
  readonly folders: readonly Folder[];
  readonly selected: string | null;
}

function Tree({ folders, selected }: Props) {
  const { t } = useTranslation();
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [active, setActive] = useState<string | null>(null);
  const rows = useMemo(() => {
    const around = new Set(
      pathOf(folders, selected)
        .slice(0, -1)
        .map(({ id }) => id),
    );
    return rowsOf(folders, (id) => toggled.get(id) ?? around.has(id));
  }, [folders, selected, toggled]);
  const heights = useMemo(() => rows.map(() => ROW_PX), [rows]);
  const { list, height, rows: shown, reveal } = useWindowedRows(heights);
  const toggle = (id: string, isOpen: boolean) => {
    setToggled(new Map(toggled).set(id, isOpen));
  };
  const go = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setActive(row.folder.id);
    if (!shown.some((each) => each.index === index)) reveal(index);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  const onKeyDown = useTreeKeys({ folders, rows, toggle, go });
  const tabbed = [active, selected].find((id) => shown.some(({ index }) => rows[index]?.folder.id === id));
  return (
    <ol
      ref={list}
      className={styles["tree"]}
      role="tree"
      aria-label={t("library.folders")}
      style={{ height }}
      onKeyDown={onKeyDown}
    >
      {shown.map(({ index, top }, offset) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <FolderRow
            key={row.folder.id}
            row={row}
            index={index}
            top={top}
            isSelected={row.folder.id === selected}
            isTabbed={tabbed === undefined ? offset === 0 : row.folder.id === tabbed}
            toggle={toggle}
          />
        );
      })}
    </ol>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isTabbed: boolean;
  readonly toggle: (id: string, isOpen: boolean) => void;
}

function FolderRow({ row, index, top, isSelected, isTabbed, toggle }: RowProps) {
  const { t } = useTranslation();
  const { drag } = useMoving();
  const { folder, level, hasFolders, isOpen } = row;
  const { isOver, handlers } = useDropTarget(folder.id);
  return (
    <li
      className={styles["folder"]}
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={hasFolders ? isOpen : undefined}
      tabIndex={isTabbed ? 0 : -1}
      data-index={index}
      data-id={folder.id}
      data-over={isOver}
      style={{ top, paddingInlineStart: `${(level - 1) * 1.25}rem` }}
      {...dragHandlers({ kind: "folder", id: folder.id }, folder.name, drag)}
      {...handlers}
      onClick={() => {
        navigate(folderPath(folder.id));
      }}
    >
      <span
        className={styles["toggle"]}
        data-open={isOpen}
        onClick={(event) => {
          if (!hasFolders) return;
          event.stopPropagation();
          toggle(folder.id, !isOpen);
        }}
      >
        {hasFolders && <Icon name="right" />}
      </span>
      <Icon name="folder" />
      <span className={styles["name"]}>
        <bdi>{folder.name}</bdi>
      </span>
      {folder.page_count > 0 && (
        <span className={styles["count"]}>
          <span aria-hidden="true">{folder.page_count}</span>
          <span className={layout["sr-only"]}>{t("library.pageCount", { count: folder.page_count })}</span>
        </span>
      )}
    </li>
  );
}

interface Keys {
  readonly folders: readonly Folder[];
  readonly rows: readonly TreeRow[];
  readonly toggle: (id: string, isOpen: boolean) => void;
  readonly go: (index: number) => void;
}

function useTreeKeys({ folders, rows, toggle, go }: Keys) {
  const { move } = useMoving();
  return (event: KeyboardEvent) => {
    const index = Number((event.target as HTMLElement).dataset["index"] ?? -1);
    const row = rows[index];
    if (row === undefined) return;
    const { folder } = row;
    const { key } = event;
    if (event.altKey && (key === "ArrowUp" || key === "ArrowDown")) {
      const position = stepped(folders, folder, key === "ArrowUp" ? -1 : 1);
      if (position !== null)
        move({ what: { kind: "folder", id: folder.id }, to: folder.parent_id, position });
    } else if (key === "ArrowDown") go(index + 1);
    else if (key === "ArrowUp") go(index - 1);
    else if (key === "Home") go(0);
    else if (key === "End") go(rows.length - 1);
    else if (key === "ArrowRight" && row.hasFolders && !row.isOpen) toggle(folder.id, true);
    else if (key === "ArrowRight" && row.isOpen) go(index + 1);
    else if (key === "ArrowLeft" && row.isOpen) toggle(folder.id, false);
    else if (key === "ArrowLeft") go(rows.findIndex((each) => each.folder.id === folder.parent_id));
    else if (key === "Enter" || key === " ") navigate(folderPath(folder.id));
    else return;
    event.preventDefault();
  };
}

/** The position one step up or down among the folders of the same parent; null at the end. */
function stepped(folders: readonly Folder[], folder: Folder, by: -1 | 1): number | null {
  const siblings = folders.filter((each) => each.parent_id === folder.parent_id);
  const index = siblings.indexOf(folder) + by;
  if (index < 0 || index >= siblings.length) return null;
  return positionAt(siblings, index, by < 0 ? "before" : "after");
}

export function folderPath(id: string): string {
  return `/library?folder=${id}`;
}

/** A place beside the tree that leads to the top: pages that are in no folder. Things can be dropped there. */
export function TopTarget({ children }: { readonly children: ReactNode }) {
  const { isOver, handlers } = useDropTarget(null);
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} className={styles["top"]} data-over={isOver} {...handlers}>
      {children}
    </div>
  );
}
