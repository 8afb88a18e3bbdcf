/** What the library's screens share: views and folders at the side, the screen beside them. */
import { useState, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, useLocation } from "../app/router";
import { useIsPhone } from "../ui/hooks/use-is-phone";
import { FolderTree, TopTarget } from "./folder-tree";
import { MovingProvider } from "./moving";
import styles from "./library.module.css";

interface Props {
  /** The open folder. */
  readonly folder?: string | null;
  readonly children: ReactNode;
}

export function LibraryFrame({ folder = null, children }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const side = (
    <div className={styles["side"]}>
      <Views />
      <FolderTree selected={folder} />
    </div>
  );
  return (
    <div className={styles["frame"]}>
      <MovingProvider>
        {isPhone ? (
          <details
            className={styles["drawer"]}
            open={isOpen}
            onToggle={(event) => {
              setOpen(event.currentTarget.open);
            }}
          >
            <summary>{t("library.showFolders")}</summary>
            {isOpen && side}
          </details>
        ) : (
          side
        )}
        <div className={styles["content"]}>{children}</div>
      </MovingProvider>
    </div>
  );
}

function Views() {
  const { t } = useTranslation();
  const { path, search } = useLocation();
  const view = search.get("folder") ?? (search.get("archived") ? "archived" : "all");
  const way = (to: string, text: string, isHere: boolean) => (
    <Link to={to} aria-current={isHere ? "page" : undefined}>
      {text}
    </Link>
  );
  const isList = path === "/library";
  return (
    <nav className={styles["views"]} aria-label={t("library.views")}>
      {way("/library", t("library.all"), isList && view === "all")}
      <TopTarget>{way("/library?folder=top", t("library.top"), isList && view === "top")}</TopTarget>
      {way("/library?archived=1", t("library.archive"), isList && view === "archived")}
      {way("/library/dead", t("library.dead"), path === "/library/dead")}
      {way("/library/import", t("library.importExport"), path === "/library/import")}
    </nav>
  );
}
