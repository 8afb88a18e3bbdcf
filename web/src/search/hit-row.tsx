import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { Badge } from "../ui/badge";
import { PlainIcon, SiteIcon } from "../ui/site-icon";
import { Moment } from "../ui/time/moment";
import { pageAddress } from "../visited/page-address";
import { addressOf, type Hit } from "./api";
import { Snippet } from "./snippet";
import styles from "./search.module.css";

export function HitRow({ hit }: { readonly hit: Hit }) {
  const { t } = useTranslation();
  return (
    <li className={styles["hit"]}>
      <h2>
        {hit.domain ? <SiteIcon domain={hit.domain} /> : <PlainIcon name="web" />}
        <Link to={addressOf(hit)}>{hit.title ?? t("search.untitled")}</Link>
      </h2>
      <p className={styles["facts"]}>
        <Badge>{t(`search.kind.${hit.kind}`)}</Badge>
        {hit.domain &&
          (hit.url_id === null ? (
            <span>{hit.domain}</span>
          ) : (
            <Link
              to={pageAddress(hit.url_id)}
              aria-label={t("visited.of", { domain: hit.domain, name: hit.title ?? t("search.untitled") })}
            >
              {hit.domain}
            </Link>
          ))}
        <Moment at={hit.at} />
      </p>
      {hit.snippet.length > 0 && (
        <p className={styles["snippet"]}>
          <Snippet pieces={hit.snippet} />
        </p>
      )}
    </li>
  );
}
