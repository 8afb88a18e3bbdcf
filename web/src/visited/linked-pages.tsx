import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { shortUrl } from "../ui/addresses";
import { SiteIcon } from "../ui/site-icon";
import list from "../ui/styles/list.module.css";
import type { LinkedPage } from "./api";
import { pageAddress } from "./page-address";
import styles from "./visited.module.css";

const MOST_LETTERS = 200;

/** Pages on the way to this one, or from it, and how often. */
export function LinkedPages({
  title,
  pages,
}: {
  readonly title: string;
  readonly pages: readonly LinkedPage[];
}) {
  const { t } = useTranslation();
  if (pages.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className={list["rows"]}>
        {pages.map(({ url_id, url, domain, title: name, favicon, visits }) => (
          <li key={url_id} className={styles["linked"]}>
            <SiteIcon domain={domain} favicon={favicon} />
            <Link to={pageAddress(url_id)}>
              <bdi>{(name ?? shortUrl(url)).slice(0, MOST_LETTERS)}</bdi>
            </Link>
            <span className={list["row-note"]}>{t("visited.times", { count: visits })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
