/** The first thing in the header. `/` and Ctrl+K open it too; what it opens is loaded then. */
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useLocation } from "../app/router";
import { useKeys } from "../app/shortcuts";
import { Icon } from "../ui/icons";
import styles from "./search-button.module.css";

const Palette = lazy(() => import("./palette"));

export function SearchButton({ isOwner }: { readonly isOwner: boolean }) {
  const { t } = useTranslation();
  const { path, search } = useLocation();
  const address = `${path}?${search.toString()}`;
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== address) setOpenAt(null); // somebody has gone on
  const open = () => {
    setOpenAt(address);
  };
  useKeys({ "/": open });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isOurs || event.code !== "KeyK" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setOpenAt(address);
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
    };
  }, [address]);
  return (
    <>
      <button type="button" className={styles["button"]} title={t("search.openHint")} onClick={open}>
        <Icon name="search" />
        <span>{t("search.open")}</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      {openAt !== null && (
        <Suspense fallback={null}>
          <Palette
            isOwner={isOwner}
            close={() => {
              setOpenAt(null);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
