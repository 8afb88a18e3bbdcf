/** One saved page in a list. Its title opens the page; only addresses of the web are links. */
import { useState, type DragEvent, type KeyboardEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { RemindDialog } from "../reminders/remind-dialog";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { useAction } from "../ui/hooks/use-action";
import { Icon } from "../ui/icons";
import { SiteIcon } from "../ui/site-icon";
import layout from "../ui/styles/layout.module.css";
import { libraryKey, readAgain, type SavedPage } from "./api";
import { dragHandlers, useMoving } from "./moving";
import type { Select } from "./page-list";
import { pageReason } from "./reasons";
import styles from "./list.module.css";

interface Props {
  readonly page: SavedPage;
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly isSelected: boolean;
  /** What moves when this row is dragged. */
  readonly dragged: readonly string[];
  /** In the list of dead links: says why, and offers to try again. */
  readonly isDead: boolean;
  readonly select: Select;
  readonly place: ((id: string, index: number, side: "before" | "after") => void) | undefined;
}

export function PageRow(props: Props) {
  const { page, index, count, top, isSelected, dragged, isDead, select, place } = props;
  const { t } = useTranslation();
  const { drag } = useMoving();
  const { side, handlers } = usePlaces(index, place);
  const title = nameOf(page) || t("library.separator");
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || place === undefined) return;
    if (event.key === "ArrowUp" && index > 0) place(page.id, index - 1, "before");
    else if (event.key === "ArrowDown" && index < count - 1) place(page.id, index + 1, "after");
    else return;
    event.preventDefault();
  };
  return (
    <li
      className={styles["row"]}
      data-selected={isSelected}
      data-side={side}
      data-id={page.id}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ top }}
      {...dragHandlers({ kind: "pages", ids: dragged }, title, drag)}
      {...handlers}
      onKeyDown={onKeyDown}
    >
      <input
        type="checkbox"
        aria-label={t("library.list.select", { title })}
        checked={isSelected}
        onChange={(event) => {
          select(index, event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey);
        }}
      />
      <SiteIcon domain={page.domain ?? "·"} inline={page.link?.favicon ?? null} />
      <div className={styles["words"]}>
        <p className={styles["title"]}>
          <Title page={page} title={title} />
          <State page={page} />
        </p>
        <p className={styles["note"]}>
          {isDead && page.enrichment?.reason ? (
            pageReason(page.enrichment.reason, t)
          ) : (
            <>
              <bdi>{page.domain ?? page.address}</bdi>
              {page.tags.map((tag) => (
                <span key={tag} className={styles["tag"]}>
                  {tag}
                </span>
              ))}
            </>
          )}
        </p>
      </div>
      {isDead && <Retry page={page} />}
      {isLink(page) && !isDead && <Remind page={page} title={title} />}
      <Link
        className={styles["details"]}
        to={`/library/pages/${page.id}`}
        aria-label={t("library.list.details", { title })}
      >
        <Icon name="info" />
      </Link>
    </li>
  );
}

function Title({ page, title }: { readonly page: SavedPage; readonly title: string }) {
  const { t } = useTranslation();
  if (!isLink(page))
    return (
      <span className={styles["text"]}>
        <bdi>{title}</bdi>
      </span>
    );
  return (
    <a
      className={styles["link"]}
      href={page.address}
      target="_blank"
      rel="noopener noreferrer"
      draggable={false}
    >
      <bdi>{title}</bdi>
      <span className={layout["sr-only"]}> {t("library.list.newTab")}</span>
    </a>
  );
}

function State({ page }: { readonly page: SavedPage }) {
  const { t } = useTranslation();
  const state = page.enrichment?.state;
  if (state === "dead") return <Badge tone="warn">{t("library.list.dead")}</Badge>;
  return state === "waiting" ? <Badge>{t("library.list.waiting")}</Badge> : null;
}

function Remind({ page, title }: { readonly page: SavedPage; readonly title: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles["remind"]}
        title={t("reminders.remind.label")}
        aria-label={t("reminders.remind.labelOf", { name: title })}
        onClick={() => {
          setOpen(true);
        }}
      >
        <Icon name="bell" />
      </button>
      {isOpen && (
        <RemindDialog
          page={{ url: page.address, title }}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function Retry({ page }: { readonly page: SavedPage }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const retry = useAction(() => readAgain(page.id), {
    done: () => {
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  return (
    <Button
      isBusy={retry.isBusy}
      onClick={() => {
        retry.run();
      }}
    >
      {t("library.enrichment.retry")}
    </Button>
  );
}

/** Where a single dragged page would go: before this row in its upper half, after it in its lower one. */
function usePlaces(index: number, place: Props["place"]) {
  const { dragged, drag } = useMoving();
  const [side, setSide] = useState<"before" | "after" | undefined>();
  const only = dragged?.kind === "pages" && dragged.ids.length === 1 ? dragged.ids[0] : undefined;
  const canPlace = place !== undefined && only !== undefined;
  return {
    side: canPlace ? side : undefined,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!canPlace) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        setSide(event.clientY < top + height / 2 ? "before" : "after");
      },
      onDragLeave: () => {
        setSide(undefined);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        if (canPlace && side !== undefined) place(only, index, side);
        setSide(undefined);
        drag(null);
      },
    },
  };
}

/** The person's title, else the page's own, else its address. */
export function nameOf({ title, link, address }: SavedPage): string {
  return title ?? link?.title ?? address;
}

export function isLink({ kind, address }: Pick<SavedPage, "kind" | "address">): boolean {
  return kind === "link" && /^https?:\/\//i.test(address);
}
