/** The library: the pages of one folder, or all of them. What is shown is in the address. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link, navigate, useLocation } from "../app/router";
import { useArrival } from "../app/screen";
import { foldersQuery, tagsQuery, type PageFilter } from "./api";
import { FolderActions, NewFolder } from "./folder-actions";
import { folderPath } from "./folder-tree";
import { LibraryFrame } from "./frame";
import { PageList } from "./page-list";
import { QuickAdd } from "./quick-add";
import { pathOf } from "./tree";
import styles from "./library.module.css";

export default function LibraryScreen() {
  const { search } = useLocation();
  const folder = search.get("folder");
  return (
    <LibraryFrame folder={folder}>
      <Content key={search.toString()} />
    </LibraryFrame>
  );
}

function Content() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { data: folders } = useQuery(foldersQuery);
  const folder = search.get("folder");
  const tag = search.get("tag");
  const isArchive = search.has("archived");
  const path = pathOf(folders ?? [], folder);
  const here = path.at(-1) ?? null;
  const isUnknown = folder !== null && folder !== "top" && folders !== undefined && here === null;
  const title = here?.name ?? t(isUnknown ? "library.unknownFolder" : viewOf(folder, isArchive));
  const heading = useArrival(`${title} – ${t("library.title")}`);
  const filter: PageFilter = {
    ...(folder === null ? {} : { folder }),
    ...(tag === null ? {} : { tag }),
    ...(isArchive ? { archived: true } : {}),
  };
  return (
    <>
      <div className={styles["head"]}>
        <div>
          {path.length > 1 && (
            <p className={styles["path"]}>
              {path.slice(0, -1).map(({ id, name }) => (
                <Link key={id} to={folderPath(id)}>
                  <bdi>{name}</bdi>
                </Link>
              ))}
            </p>
          )}
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
        </div>
        {here ? <FolderActions folder={here} /> : !isArchive && !isUnknown && <NewFolder parent={null} />}
      </div>
      {!isUnknown && (
        <>
          {!isArchive && <QuickAdd folderId={here?.id ?? null} />}
          <TagFilter chosen={tag} />
          <PageList filter={filter} isOrdered={folder !== null && tag === null && !isArchive} />
        </>
      )}
    </>
  );
}

function viewOf(folder: string | null, isArchive: boolean) {
  if (isArchive) return "library.archive";
  return folder === "top" ? "library.top" : "library.all";
}

function TagFilter({ chosen }: { readonly chosen: string | null }) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { data: tags = [] } = useQuery(tagsQuery);
  if (tags.length === 0 && chosen === null) return null;
  const names = tags.map(({ tag }) => tag);
  return (
    <label className={styles["tag-filter"]}>
      <span>{t("library.list.tag")}</span>
      <select
        value={chosen ?? ""}
        onChange={(event) => {
          const params = new URLSearchParams(search);
          if (event.currentTarget.value === "") params.delete("tag");
          else params.set("tag", event.currentTarget.value);
          navigate(`/library?${params.toString()}`, { keepsPlace: true });
        }}
      >
        <option value="">{t("library.list.anyTag")}</option>
        {(chosen === null || names.includes(chosen) ? names : [chosen, ...names]).map((tag) => (
          <option key={tag} value={tag}>
            {tag}
          </option>
        ))}
      </select>
    </label>
  );
}
