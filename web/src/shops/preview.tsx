/** The next three runs of what a form says, and whether the page is watched already. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { explain } from "../problems/explain";
import { useSettled } from "../search/use-settled";
import { Notice } from "../ui/notice";
import { datesIn, useLocale } from "../ui/time/dates";
import { previewQuery, type Wanted } from "./api";
import styles from "./shops.module.css";

export function Preview({ cron, timezone, url }: Wanted) {
  const { t } = useTranslation();
  const locale = useLocale();
  const wanted = useSettled(cron);
  // While an address is typed it is mostly none: what's wrong with it is said when it is sent.
  const address = useSettled(/^https?:\/\/[^/\s]+/i.test(url) ? url : "");
  const preview = useQuery({
    ...previewQuery({ cron: wanted, timezone, url: address }),
    enabled: wanted !== "",
  });
  const failure = preview.error === null ? null : explain(preview.error, t);
  const dates = datesIn(locale, timezone);
  if (failure !== null)
    return (
      <p className={styles["preview"]} role="status">
        {Object.values(failure.fields)[0] ?? failure.text}
      </p>
    );
  const { runs = [], target, watched_by: known } = preview.data ?? {};
  return (
    <>
      <div className={styles["preview"]} role="status">
        <p>
          <strong>{t("shops.preview.next")}</strong>
        </p>
        <ol>
          {runs.map((at) => (
            <li key={at}>
              <time dateTime={at}>{dates.moment(at)}</time>
            </li>
          ))}
        </ol>
        {target && <p>{t(`shops.preview.${target}`)}</p>}
      </div>
      {known && (
        <Notice>
          <p>{t("shops.preview.known")}</p>
          <p>
            <Link to={`/shops/schedules/${known}`}>{t("shops.preview.toKnown")}</Link>
          </p>
        </Notice>
      )}
    </>
  );
}
