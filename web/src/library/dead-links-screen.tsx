/** Saved pages that the server could not read, with the reason, to be tried again. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { useArrival } from "../app/screen";
import { Button } from "../ui/button";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { libraryKey, pagesQuery, readAgain, type PageFilter } from "./api";
import { LibraryFrame } from "./frame";
import { PageList } from "./page-list";
import styles from "./library.module.css";

const DEAD: PageFilter = { state: "dead" };

export default function DeadLinksScreen() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const heading = useArrival(`${t("library.dead")} – ${t("library.title")}`);
  const list = useInfiniteQuery(pagesQuery(DEAD));
  const ids = (list.data?.pages ?? []).flatMap(({ pages }) => pages.map(({ id }) => id));
  const retry = useAction(
    async () => {
      for (const id of ids) await readAgain(id);
    },
    {
      done: () => {
        void queries.invalidateQueries({ queryKey: libraryKey });
      },
    },
  );
  return (
    <LibraryFrame>
      <div className={styles["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t("library.dead")}
        </h1>
        {ids.length > 1 && (
          <Button
            isBusy={retry.isBusy}
            onClick={() => {
              retry.run();
            }}
          >
            {t("library.deadLinks.retryAll")}
          </Button>
        )}
      </div>
      <p className={layout["soft"]}>{t("library.deadLinks.lead")}</p>
      <FailureNotice failure={retry.failure} />
      <PageList filter={DEAD} />
    </LibraryFrame>
  );
}
