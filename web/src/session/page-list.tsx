/** A session by page: every page once, with all its time, its summary and its keywords; what was read longest first. */
import { useMemo, useState } from "react";
import { useTranslation } from "../i18n/translation";
import type { Visit } from "./api";
import { safeHref, shortUrl } from "../ui/addresses";
import { pagesOf, type Page } from "./pages";
import { Link } from "../app/router";
import { pageAddress } from "../visited/page-address";
import { Button } from "../ui/button";
import { SiteIcon } from "../ui/site-icon";
import { inWords } from "../ui/time/durations";
import styles from "./page-list.module.css";

const FIRST = 40;
const MOST_LETTERS = 300;

interface Props {
  readonly visits: readonly Visit[];
  /** The visit that the pointer is on. */
  readonly hover: (visit: string | null) => void;
}

export function PageList({ visits, hover }: Props) {
  const { t } = useTranslation();
  const pages = useMemo(() => pagesOf(visits), [visits]);
  const [shown, setShown] = useState(FIRST);
  return (
    <>
      <ol className={styles["pages"]}>
        {pages.slice(0, shown).map((page) => (
          <PageRow key={page.urlId} page={page} hover={hover} />
        ))}
      </ol>
      {pages.length > shown && (
        <div>
          <Button
            onClick={() => {
              setShown(shown + FIRST);
            }}
          >
            {t("ui.showMore")}
          </Button>
        </div>
      )}
    </>
  );
}

function PageRow({ page, hover }: { readonly page: Page; readonly hover: Props["hover"] }) {
  const { t } = useTranslation();
  const title = (page.title ?? "").slice(0, MOST_LETTERS) || shortUrl(page.url);
  return (
    <li
      className={styles["page"]}
      onPointerEnter={() => {
        hover(page.firstVisit);
      }}
      onPointerLeave={() => {
        hover(null);
      }}
    >
      <SiteIcon domain={page.domain} favicon={page.favicon} />
      <div className={styles["words"]}>
        <h3 className={styles["title"]}>
          <a href={safeHref(page.url)} target="_blank" rel="noreferrer noopener">
            <bdi>{title}</bdi>
          </a>
        </h3>
        <p className={styles["note"]}>
          <Link
            to={pageAddress(page.urlId)}
            aria-label={t("visited.of", { domain: page.domain, name: title })}
          >
            <bdi>{page.domain}</bdi>
          </Link>{" "}
          · {t("session.timeline.visitCount", { count: page.visits })}
        </p>
        {page.summary !== null && (
          <p className={styles["summary"]} dir="auto">
            {page.summary}
          </p>
        )}
        {page.keywords.length > 0 && (
          <ul className={styles["keywords"]} aria-label={t("session.keywords")}>
            {page.keywords.map((keyword) => (
              <li key={keyword}>
                <bdi>{keyword}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className={styles["time"]}>{inWords(page.ms, t)}</p>
    </li>
  );
}
