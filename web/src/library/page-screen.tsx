/** One saved page: what the person wrote about it, what the page says of itself, and whether the server could read it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, navigate, useCameFrom, type Params } from "../app/router";
import { useArrival } from "../app/screen";
import { RemindButton } from "../reminders/remind-dialog";
import { watchAddress } from "../shops/watch-address";
import { Button, buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { useHidden } from "../ui/deletions";
import { Field, FieldFrame } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Trouble, Waiting } from "../ui/notice";
import { Moment } from "../ui/time/moment";
import layout from "../ui/styles/layout.module.css";
import { changePage, foldersQuery, libraryKey, pageQuery, type SavedPage } from "./api";
import { EnrichmentPart } from "./enrichment";
import { folderPath } from "./folder-tree";
import { MoveDialog } from "./move-dialog";
import { MovingProvider } from "./moving";
import { isLink, nameOf } from "./page-row";
import { useRemovePages } from "./remove";
import { tagsIn } from "./tags";
import { pathOf } from "./tree";
import styles from "./page.module.css";

export default function SavedPageScreen({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const page = useQuery(pageQuery(params["id"] ?? ""));
  const isHidden = useHidden().has(params["id"] ?? "");
  const from = useCameFrom();
  const list = from?.startsWith("/library") && !from.startsWith("/library/pages/") ? from : "/library";
  return (
    <div className={styles["page"]}>
      <Link className={layout["back"]} to={list}>
        {t("library.back")}
      </Link>
      {isHidden ? (
        <p>{t("library.page.gone")}</p>
      ) : page.data ? (
        <MovingProvider>
          <Content page={page.data} list={list} />
        </MovingProvider>
      ) : page.error ? (
        <Trouble error={page.error} retry={page.refetch} />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

function Content({ page, list }: { readonly page: SavedPage; readonly list: string }) {
  const { t } = useTranslation();
  const title = nameOf(page) || t("library.separator");
  const heading = useArrival(title);
  return (
    <>
      <div className={styles["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        <p className={styles["address"]}>
          <bdi>{page.address}</bdi>
        </p>
        {page.kind === "other" && <p className={layout["soft"]}>{t("library.page.notLink")}</p>}
      </div>
      <Actions page={page} list={list} />
      <Facts page={page} />
      <Notes key={page.id} page={page} />
      {page.enrichment && <EnrichmentPart page={page} enrichment={page.enrichment} />}
    </>
  );
}

function Actions({ page, list }: { readonly page: SavedPage; readonly list: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [doing, setDoing] = useState<"move" | null>(null);
  const close = () => {
    setDoing(null);
  };
  const archive = useAction(() => changePage(page.id, { archived: page.archived_at === null }), {
    done: () => {
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  const remove = useRemovePages();
  return (
    <div className={layout["button-row"]}>
      {isLink(page) && (
        <a className={buttonClass("main")} href={page.address} target="_blank" rel="noopener noreferrer">
          {t("library.page.open")}
        </a>
      )}
      {isLink(page) && <RemindButton page={{ url: page.address, title: nameOf(page) || null }} />}
      {isLink(page) && (
        <Link className={buttonClass("plain")} to={watchAddress(page.address, nameOf(page))}>
          {t("shops.watchThis.label")}
        </Link>
      )}
      <Button
        onClick={() => {
          setDoing("move");
        }}
      >
        {t("library.selection.move")}
      </Button>
      <Button
        isBusy={archive.isBusy}
        onClick={() => {
          archive.run();
        }}
      >
        {t(page.archived_at === null ? "library.selection.archive" : "library.selection.unarchive")}
      </Button>
      <Button
        look="danger"
        onClick={() => {
          remove([page.id]);
          navigate(list, { replace: true });
        }}
      >
        {t("library.page.delete")}
      </Button>
      <FailureNotice failure={archive.failure} />
      {doing === "move" && <MoveDialog what={{ kind: "pages", ids: [page.id] }} close={close} />}
    </div>
  );
}

function Facts({ page }: { readonly page: SavedPage }) {
  const { t } = useTranslation();
  const { data: folders } = useQuery(foldersQuery);
  const path = pathOf(folders ?? [], page.folder_id);
  return (
    <dl className={styles["facts"]}>
      <div>
        <dt>{t("library.page.folder")}</dt>
        <dd>
          <Link to={page.folder_id === null ? "/library?folder=top" : folderPath(page.folder_id)}>
            <bdi>{path.map(({ name }) => name).join(" / ") || t("library.top")}</bdi>
          </Link>
        </dd>
      </div>
      <div>
        <dt>{t("library.page.savedAt")}</dt>
        <dd>
          <Moment at={page.created_at} />
        </dd>
      </div>
      {page.archived_at && (
        <div>
          <dt>{t("library.page.archivedAt")}</dt>
          <dd>
            <Moment at={page.archived_at} />
          </dd>
        </div>
      )}
      {page.link?.site_name && (
        <div>
          <dt>{t("library.page.site")}</dt>
          <dd>
            <bdi>{page.link.site_name}</bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Notes({ page }: { readonly page: SavedPage }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="notes-title">
      <h2 id="notes-title">{t("library.page.edit")}</h2>
      <Form
        submit={t("ui.save")}
        success={t("library.page.saved")}
        send={({ title = "", note = "", tags = "" }) =>
          changePage(page.id, { title: title.trim(), note: note.trim(), tags: tagsIn(tags) })
        }
        done={(changed) => {
          queries.setQueryData(pageQuery(page.id).queryKey, changed);
          void queries.invalidateQueries({ queryKey: libraryKey });
        }}
      >
        <Field
          name="title"
          label={t("library.page.title")}
          defaultValue={page.title ?? ""}
          placeholder={page.link?.title ?? ""}
          autoComplete="off"
        />
        <FieldFrame name="note" label={t("library.page.note")}>
          {(ties) => <textarea {...ties} rows={4} defaultValue={page.note ?? ""} />}
        </FieldFrame>
        <Field
          name="tags"
          label={t("library.page.tags")}
          hint={t("library.page.tagsHint")}
          defaultValue={page.tags.join(", ")}
          autoComplete="off"
        />
      </Form>
    </section>
  );
}
