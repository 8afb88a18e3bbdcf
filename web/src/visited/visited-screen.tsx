/** One page with all that was recorded of it: text, summary, visits, highlights, and the pages around it. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import type { Params } from "../app/router";
import { useArrival } from "../app/screen";
import { HighlightCard } from "../highlights/highlight-card";
import { RemindButton } from "../reminders/remind-dialog";
import { safeHref, shortUrl } from "../ui/addresses";
import { buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { Trouble, Waiting } from "../ui/notice";
import { useHidden } from "../ui/deletions";
import layout from "../ui/styles/layout.module.css";
import { inWords } from "../ui/time/durations";
import { Moment } from "../ui/time/moment";
import { visitedQuery, type VisitedPage } from "./api";
import { LinkedPages } from "./linked-pages";
import { SaveButton } from "./save-button";
import { Visits } from "./visits";
import styles from "./visited.module.css";

const MOST_LETTERS = 300;

export default function VisitedScreen({ params }: { readonly params: Params }) {
  const page = useQuery(visitedQuery(params["id"] ?? ""));
  if (page.data) return <Content key={page.data.url_id} page={page.data} />;
  if (page.error) return <Trouble error={page.error} retry={page.refetch} />;
  return <Waiting />;
}

function Content({ page }: { readonly page: VisitedPage }) {
  const { t } = useTranslation();
  const title = (page.title ?? shortUrl(page.url)).slice(0, MOST_LETTERS);
  const heading = useArrival(title);
  const hidden = useHidden();
  const highlights = page.highlights.filter(({ session_id }) => !hidden.has(session_id));
  return (
    <article className={styles["page"]}>
      <header className={styles["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        <p className={styles["address"]}>
          <bdi>{page.url}</bdi>
        </p>
      </header>
      <div className={layout["button-row"]}>
        <a
          className={buttonClass("main")}
          href={safeHref(page.url)}
          target="_blank"
          rel="noreferrer noopener"
        >
          {t("visited.open")}
        </a>
        <SaveButton address={page.url} />
        <RemindButton page={{ url: page.url, title: page.title }} />
      </div>
      <Facts page={page} />
      <Text page={page} />
      {highlights.length > 0 && (
        <section className={layout["stack"]} aria-labelledby="highlights-title">
          <h2 id="highlights-title">{t("visited.highlights")}</h2>
          <ul className={styles["highlights"]}>
            {highlights.map((highlight) => (
              <HighlightCard key={highlight.id} highlight={highlight} hasPage={false} />
            ))}
          </ul>
        </section>
      )}
      <div className={styles["around"]}>
        <LinkedPages title={t("visited.reachedFrom")} pages={page.reached_from} />
        <LinkedPages title={t("visited.opened")} pages={page.opened} />
      </div>
      <Visits page={page} />
    </article>
  );
}

function Facts({ page }: { readonly page: VisitedPage }) {
  const { t } = useTranslation();
  return (
    <dl className={classes(styles["facts"], layout["figures"])}>
      <div>
        <dt>{t("visited.time")}</dt>
        <dd>{inWords(page.focused_ms, t)}</dd>
      </div>
      <div>
        <dt>{t("visited.visits")}</dt>
        <dd>{page.visit_count}</dd>
      </div>
      {page.first_at !== null && (
        <div>
          <dt>{t("visited.first")}</dt>
          <dd>
            <Moment at={page.first_at} />
          </dd>
        </div>
      )}
      {page.last_at !== null && (
        <div>
          <dt>{t("visited.last")}</dt>
          <dd>
            <Moment at={page.last_at} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What the page said when it was last read. Whatever it wrote is text here, and nothing else. */
function Text({ page: { summary, keywords, text, content_status } }: { readonly page: VisitedPage }) {
  const { t } = useTranslation();
  return (
    <section className={classes(layout["panel"], styles["text"])} aria-labelledby="text-title">
      <h2 id="text-title">{t("visited.text")}</h2>
      {summary !== null && <p dir="auto">{summary}</p>}
      {keywords.length > 0 && (
        <ul className={styles["keywords"]} aria-label={t("visited.keywords")}>
          {keywords.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ul>
      )}
      {text === null ? (
        <p className={layout["soft"]}>{t("visited.noText")}</p>
      ) : (
        <details>
          <summary>{t("visited.showText")}</summary>
          {content_status === "crawled" && <p className={layout["soft"]}>{t("visited.fetched")}</p>}
          <p className={styles["whole"]} dir="auto" tabIndex={0}>
            {text}
          </p>
        </details>
      )}
    </section>
  );
}
