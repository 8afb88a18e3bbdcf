import { useTranslation } from "react-i18next";
import { Link } from "../app/router";
import { Badge } from "../ui/badge";
import { SiteIcon } from "../ui/site-icon";
import { Moment } from "../ui/time/moment";
import { addressOf, type Hit } from "./api";
import { Snippet } from "./snippet";
import styles from "./search.module.css";

export function HitRow({ hit }: { readonly hit: Hit }) {
  const { t } = useTranslation();
  return (
    <li className={styles["hit"]}>
      <h2>
        {hit.domain && <SiteIcon domain={hit.domain} />}
        <Link to={addressOf(hit)}>{hit.title ?? t("search.untitled")}</Link>
      </h2>
      <p className={styles["facts"]}>
        <Badge>{t(`search.kind.${hit.kind}`)}</Badge>
        {hit.domain && <span>{hit.domain}</span>}
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
