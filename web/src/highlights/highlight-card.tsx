/** A highlight outside of its session: the text, the note, its page, and the moment it was made. */
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { safeHref, shortUrl } from "../ui/addresses";
import { buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { SiteIcon } from "../ui/site-icon";
import layout from "../ui/styles/layout.module.css";
import { Moment } from "../ui/time/moment";
import { pageAddress } from "../visited/page-address";
import type { Highlight } from "./api";
import { CopyMarkdown } from "./copy-markdown";
import { Note } from "./note";
import { Quote } from "./quote";
import { addressAt } from "./text-fragment";
import styles from "./highlights.module.css";

const MOST_LETTERS = 200;

interface Props {
  readonly highlight: Highlight;
  /** On the page's own screen its name would be there many times. */
  readonly hasPage?: boolean;
}

export function HighlightCard({ highlight, hasPage = true }: Props) {
  const { t } = useTranslation();
  const { text, note, url, title, domain, favicon, created_at } = highlight;
  const name = (title === null || title === "" ? shortUrl(url) : title).slice(0, MOST_LETTERS);
  return (
    <li className={classes(styles["card"], layout["panel"])}>
      <div className={styles["marked"]}>
        <Quote text={text} />
      </div>
      <p className={styles["page"]}>
        {hasPage && (
          <>
            <SiteIcon domain={domain} favicon={favicon} />
            <Link to={pageAddress(highlight.url_id)}>
              <bdi>{name}</bdi>
            </Link>
          </>
        )}
        <Moment at={created_at} />
      </p>
      <Note id={highlight.id} note={note}>
        <div className={styles["ways"]}>
          <a
            className={buttonClass("quiet")}
            href={safeHref(addressAt(url, text))}
            target="_blank"
            rel="noreferrer noopener"
          >
            {t("highlights.open")}
          </a>
          <Link
            className={buttonClass("quiet")}
            to={sessionAddress(highlight)}
            title={highlight.session_title ?? undefined}
          >
            {t("highlights.moment")}
          </Link>
          <CopyMarkdown highlights={[highlight]} label={t("highlights.copy")} look="quiet" />
        </div>
      </Note>
    </li>
  );
}

/** In the session, at the visit in which it was made. */
function sessionAddress({ session_id, page_visit_id }: Highlight): string {
  const visit = page_visit_id?.split(":")[1];
  return `/sessions/${session_id}${visit === undefined ? "" : `?visit=${visit}`}`;
}
