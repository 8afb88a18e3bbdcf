/** Everything a person has highlighted, in all sessions, newest first. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { useArrival } from "../app/screen";
import { classes } from "../ui/classes";
import { useHidden } from "../ui/deletions";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { highlightsQuery } from "./api";
import { CopyMarkdown } from "./copy-markdown";
import { HighlightCard } from "./highlight-card";
import styles from "./highlights.module.css";

export default function HighlightsScreen() {
  const { t } = useTranslation();
  const heading = useArrival(t("highlights.title"));
  const found = useInfiniteQuery(highlightsQuery);
  const hidden = useHidden();
  const items = (found.data?.pages ?? [])
    .flatMap((page) => page.highlights)
    .filter(({ session_id }) => !hidden.has(session_id));
  return (
    <div className={styles["screen"]}>
      <header className={styles["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t("highlights.title")}
        </h1>
        {items.length > 0 && <CopyMarkdown highlights={items} label={t("highlights.copyAll")} />}
      </header>
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Trouble error={found.error} retry={found.refetch} />
      ) : items.length === 0 ? (
        <p className={classes(layout["panel"], layout["empty"])}>{t("highlights.none")}</p>
      ) : (
        <>
          <ul className={styles["cards"]}>
            {items.map((highlight) => (
              <HighlightCard key={highlight.id} highlight={highlight} />
            ))}
          </ul>
          <MoreButton list={found} />
        </>
      )}
    </div>
  );
}
