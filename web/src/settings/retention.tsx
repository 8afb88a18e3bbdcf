/** What is kept and for how long: by the person's plan, by what the operator has set, and by the server's own rules. */
import type { components } from "@mindhit/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { TFunction } from "../i18n/translate";
import { useTranslation } from "../i18n/translation";
import { api } from "../api/client";
import { classes } from "../ui/classes";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import styles from "./settings.module.css";

type Retention = components["schemas"]["Retention"];

const KINDS = [
  "sessions",
  "library",
  "raw_events",
  "model_answers",
  "read_notices",
  "security_events",
  "exports",
] as const;
type Kind = (typeof KINDS)[number];

const retentionQuery = queryOptions({
  queryKey: ["mine", "retention"],
  queryFn: ({ signal }) => api("get", "/v1/me/retention", { signal }),
});

export function RetentionPanel() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(retentionQuery);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="retention-title">
      <h2 id="retention-title">{t("settings.retention.title")}</h2>
      <p className={layout["soft"]}>{t("settings.retention.text")}</p>
      {data ? (
        <dl className={styles["kept"]}>
          {KINDS.map((kind) => (
            <div key={kind}>
              <dt>{t(`settings.retention.kinds.${kind}`)}</dt>
              <dd>{howLong(kind, data, t)}</dd>
            </div>
          ))}
        </dl>
      ) : error ? (
        <Trouble error={error} retry={refetch} />
      ) : (
        <Waiting />
      )}
    </section>
  );
}

function howLong(kind: Kind, kept: Retention, t: TFunction): string {
  if (kind === "library") return t("settings.retention.untilDeleted");
  const count = kept[kind];
  if (count === null)
    return t(kind === "raw_events" ? "settings.retention.withTheSession" : "settings.retention.untilDeleted");
  return t(`settings.retention.days.${kind}`, { count });
}
