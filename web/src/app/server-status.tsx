/** Is the server up? Checked every few seconds. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { aboutQuery, readinessQuery } from "../api/readiness";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import styles from "./server-status.module.css";
import { StatusDot } from "../ui/status-dot";
import { classes } from "../ui/classes";

const TONES = { checking: "unknown", ready: "good", databaseDown: "warn", serverDown: "bad" } as const;

export function ServerStatus() {
  const { t } = useTranslation();
  const dates = useDates();
  const { data: state = "checking", dataUpdatedAt } = useQuery(readinessQuery);
  const answers = state === "ready" || state === "databaseDown";
  // Asked again whenever the server comes back: it may have been upgraded meanwhile.
  const about = useQuery({ ...aboutQuery, enabled: answers });
  return (
    <section className={classes(layout["panel"], styles["status"])} aria-labelledby="state-title">
      <h2 id="state-title">{t("app.server.title")}</h2>
      <div role="status" className={styles["words"]}>
        <p className={styles["name"]}>
          <StatusDot tone={TONES[state]} />
          {t(`app.server.${state}`)}
        </p>
        <p className={styles["help"]}>{t(`app.server.help.${state}`)}</p>
      </div>
      <dl className={styles["facts"]}>
        <dt>{t("app.server.version")}</dt>
        <dd>{about.data?.version ?? t("ui.unknown")}</dd>
      </dl>
      {dataUpdatedAt > 0 && (
        <p className={styles["checked"]}>
          <time dateTime={new Date(dataUpdatedAt).toISOString()}>
            {t("app.server.checked", { time: dates.clock(dataUpdatedAt) })}
          </time>
        </p>
      )}
    </section>
  );
}
