/** Saved pages, of which only those near the window are in the page. Several can be selected, dragged and changed at once. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { classes } from "../ui/classes";
import { useHidden } from "../ui/deletions";
import { useWindowedRows } from "../ui/hooks/use-windowed-rows";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { size } from "../ui/styles/tokens";
import { pagesQuery, type PageFilter, type SavedPage } from "./api";
import { useMoving } from "./moving";
import { PageRow } from "./page-row";
import { SelectionBar } from "./selection-bar";
import { positionAt } from "./tree";
import styles from "./list.module.css";

const ROW_PX = size("library-page-height");

interface Props {
  readonly filter: PageFilter;
  /** In the order of a folder, which can be changed. */
  readonly isOrdered?: boolean;
}

export function PageList({ filter, isOrdered = false }: Props) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(pagesQuery(filter));
  const hidden = useHidden();
  const pages = useMemo(
    () => (list.data?.pages ?? []).flatMap((each) => each.pages).filter(({ id }) => !hidden.has(id)),
    [list.data, hidden],
  );
  return (
    <section
      className={styles["list"]}
      aria-label={t("library.list.label")}
      aria-busy={list.isPlaceholderData}
    >
      {list.isPending && <Waiting />}
      {list.error && <Trouble error={list.error} retry={list.refetch} />}
      {list.data && pages.length === 0 && <Empty filter={filter} />}
      {pages.length > 0 && <Rows pages={pages} filter={filter} isOrdered={isOrdered} list={list} />}
      <MoreButton list={list} />
    </section>
  );
}

function Empty({ filter }: { readonly filter: PageFilter }) {
  const { t } = useTranslation();
  if (filter.tag !== undefined) return <p className={layout["empty"]}>{t("library.list.noneTagged")}</p>;
  const [title, text] =
    filter.state === "dead"
      ? [t("library.deadLinks.none"), t("library.deadLinks.noneText")]
      : filter.archived
        ? [t("library.list.emptyArchive"), t("library.list.emptyArchiveText")]
        : [t("library.list.empty"), t("library.list.emptyText")];
  return (
    <div className={classes(layout["panel"], styles["none"])}>
      <h2>{title}</h2>
      <p className={layout["soft"]}>{text}</p>
      {filter.state === undefined && !filter.archived && (
        <p>
          <Link to="/library/import">{t("library.list.import")}</Link>
        </p>
      )}
    </div>
  );
}

interface RowsProps {
  readonly pages: readonly SavedPage[];
  readonly filter: PageFilter;
  readonly isOrdered: boolean;
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

function Rows({ pages, filter, isOrdered, list: loaded }: RowsProps) {
  const { t } = useTranslation();
  const { move } = useMoving();
  const heights = useMemo(() => pages.map(() => ROW_PX), [pages]);
  const { list, height, rows } = useWindowedRows(heights);
  const { selected, select, setSelected } = useSelection(pages);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = loaded;
  const isNearEnd = (rows.at(-1)?.index ?? -1) >= pages.length - 1;
  useEffect(() => {
    // Not in tests: without a layout every row is near the end.
    if (isNearEnd && hasNextPage && !isFetchingNextPage && typeof ResizeObserver !== "undefined")
      void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  /** To before or after the page at `index`, unless it is not known what comes there. */
  const place = (id: string, index: number, side: "before" | "after") => {
    if (side === "after" && index === pages.length - 1 && hasNextPage) return;
    const to = filter.folder === "top" ? null : (filter.folder ?? null);
    move({ what: { kind: "pages", ids: [id] }, to, position: positionAt(pages, index, side) });
  };
  return (
    <>
      <div className={styles["bar"]}>
        <label className={styles["select-all"]}>
          <input
            type="checkbox"
            checked={selected.size === pages.length}
            onChange={(event) => {
              setSelected(new Set(event.currentTarget.checked ? pages.map(({ id }) => id) : []));
            }}
          />
          {t("library.list.selectAll")}
        </label>
        {selected.size > 0 && (
          <SelectionBar
            ids={[...selected]}
            isArchive={filter.archived === true}
            clear={() => {
              setSelected(new Set());
            }}
          />
        )}
      </div>
      <ol ref={list} className={styles["rows"]} style={{ height }}>
        {rows.map(({ index, top }) => {
          const page = pages[index];
          if (page === undefined) return null;
          return (
            <PageRow
              key={page.id}
              page={page}
              index={index}
              count={pages.length}
              top={top}
              isSelected={selected.has(page.id)}
              dragged={selected.has(page.id) ? [...selected] : [page.id]}
              isDead={filter.state === "dead"}
              select={select}
              place={isOrdered ? place : undefined}
            />
          );
        })}
      </ol>
    </>
  );
}

export type Select = (index: number, isSelected: boolean, isRange: boolean) => void;

/** Shift selects everything from the last one clicked. What is no longer in the list is no longer selected. */
function useSelection(pages: readonly SavedPage[]) {
  const [chosen, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState(0);
  const selected = useMemo(
    () => new Set(pages.filter(({ id }) => chosen.has(id)).map(({ id }) => id)),
    [pages, chosen],
  );
  const select: Select = (index, isSelected, isRange) => {
    const [from, to] = isRange ? [Math.min(last, index), Math.max(last, index)] : [index, index];
    const next = new Set(selected);
    for (const { id } of pages.slice(from, to + 1)) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
    setLast(index);
  };
  return { selected, select, setSelected };
}
