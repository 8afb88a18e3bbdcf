/** One run: when, how many pages, and how it ended. */
import type { TFunction } from "../i18n/translate";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { StatusPill } from "../ui/badge";
import { useDates } from "../ui/time/dates";
import list from "../ui/styles/list.module.css";
import type { Run } from "./api";
import styles from "./shops.module.css";

/** `isNamed`: among runs of several pages. */
export function RunRow({ run, isNamed }: { readonly run: Run; readonly isNamed: boolean }) {
  const { t } = useTranslation();
  const time = useDates().moment(run.created_at);
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <Link className={styles["link"]} to={`/shops/runs/${run.id}`}>
            <bdi>{isNamed ? run.name : time}</bdi>
          </Link>
        </p>
        <p className={list["row-note"]}>
          {[isNamed && `${run.domain} · ${time}`, countsOf(run, t)].filter(Boolean).join(" · ")}
        </p>
      </div>
      <RunState run={run} />
    </li>
  );
}

export function RunState({ run }: { readonly run: Run }) {
  const { t } = useTranslation();
  if (run.finished_at === null) return <StatusPill status="processing">{t("shops.runs.goingOn")}</StatusPill>;
  if (run.failed === 0) return <StatusPill status="idle">{t("shops.runs.done")}</StatusPill>;
  if (run.succeeded > 0) return <StatusPill status="incomplete">{t("shops.runs.partly")}</StatusPill>;
  return <StatusPill status="failed">{t("shops.runs.failed")}</StatusPill>;
}

export function countsOf({ tasks, succeeded, failed }: Run, t: TFunction): string {
  const counts = [t("shops.runs.pages", { count: tasks }), t("shops.runs.succeeded", { count: succeeded })];
  return [...counts, failed > 0 && t("shops.runs.failedCount", { count: failed })].filter(Boolean).join(", ");
}
