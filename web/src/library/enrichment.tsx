/** Whether the server has read a page, why not, and what it found. Its image is never loaded: that would tell the site. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { useDates } from "../ui/time/dates";
import { libraryKey, pageQuery, readAgain, type SavedPage } from "./api";
import { pageReason } from "./reasons";
import styles from "./page.module.css";

interface Props {
  readonly page: SavedPage;
  readonly enrichment: NonNullable<SavedPage["enrichment"]>;
}

const TONES = { waiting: "plain", enriched: "good", dead: "warn", skipped: "plain" } as const;

export function EnrichmentPart({ page, enrichment }: Props) {
  const { t } = useTranslation();
  const { state, reason, attempts } = enrichment;
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="read-title">
      <div className={styles["state"]}>
        <h2 id="read-title">{t("library.page.read")}</h2>
        <Badge tone={TONES[state]}>{t(`library.enrichment.${state}`)}</Badge>
      </div>
      <p className={layout["soft"]}>
        <StateText page={page} enrichment={enrichment} />
      </p>
      {reason !== null && state !== "enriched" && (
        <p>
          {pageReason(reason, t)}
          {attempts > 0 && (
            <span className={styles["attempts"]}>
              {" · "}
              {t("library.enrichment.attempts", { count: attempts })}
            </span>
          )}
        </p>
      )}
      {(state === "dead" || state === "skipped") && <Retry id={page.id} />}
      <Found page={page} />
    </section>
  );
}

function StateText({ page, enrichment: { state, run_after, attempts } }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const readAt = page.link?.enriched_at;
  if (state === "enriched")
    return readAt ? t("library.enrichment.enrichedText", { time: dates.moment(readAt) }) : null;
  if (state === "waiting" && attempts > 0 && run_after)
    return t("library.enrichment.retrying", { time: dates.moment(run_after) });
  return t(`library.enrichment.${state}Text`);
}

function Retry({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const retry = useAction(() => readAgain(id), {
    done: (page) => {
      queries.setQueryData(pageQuery(id).queryKey, page);
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  return (
    <>
      <FailureNotice failure={retry.failure} />
      <div className={layout["button-row"]}>
        <Button
          isBusy={retry.isBusy}
          onClick={() => {
            retry.run();
          }}
        >
          {t("library.enrichment.retry")}
        </Button>
        <p className={layout["success"]} role="status">
          {retry.isDone ? t("library.enrichment.retried") : null}
        </p>
      </div>
    </>
  );
}

function Found({ page: { link } }: { readonly page: SavedPage }) {
  const { t } = useTranslation();
  if (link === null) return null;
  const parts = [
    [t("library.page.description"), link.description],
    [t("library.page.summary"), link.summary],
  ] as const;
  return (
    <>
      {parts.map(([name, text]) =>
        text ? (
          <div key={name}>
            <h3>{name}</h3>
            <p className={styles["found"]} lang={link.language ?? undefined}>
              <bdi>{text}</bdi>
            </p>
          </div>
        ) : null,
      )}
      {link.keywords.length > 0 && (
        <div>
          <h3>{t("library.page.keywords")}</h3>
          <ul className={styles["keywords"]}>
            {link.keywords.map((word) => (
              <li key={word}>
                <Badge>{word}</Badge>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
