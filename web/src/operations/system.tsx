import { useTranslation } from "../i18n/translation";
import { inBytes } from "../ui/sizes";
import { useDates, useLocale } from "../ui/time/dates";
import { inHours } from "../ui/time/durations";
import type { System } from "./api";
import { tickingOf } from "./health";
import layout from "../ui/styles/layout.module.css";
import styles from "./operations.module.css";
import { classes } from "../ui/classes";

export function SystemPanel({ system, now }: { readonly system: System; readonly now: number }) {
  const { t } = useTranslation();
  const dates = useDates();
  const locale = useLocale();
  const { scheduled_at: scheduled } = system;
  const ticking = tickingOf(system, now);
  const facts = {
    version: system.version,
    up: inHours(system.up_s * 1_000, t),
    database: system.database,
    size: inBytes(system.database_bytes, locale),
    free: system.disk_free_bytes === null ? t("ui.unknown") : inBytes(system.disk_free_bytes, locale),
    people: system.people.toLocaleString(locale),
    sessions: system.sessions.toLocaleString(locale),
    scheduled:
      scheduled === null
        ? t(ticking === "awaited" ? "operations.system.notYet" : "operations.system.never")
        : dates.moment(scheduled),
  } as const;
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="system-title">
      <h2 id="system-title">{t("operations.system.title")}</h2>
      {(ticking === "late" || ticking === "never") && (
        <p className={layout["soft"]}>{t("operations.system.start")}</p>
      )}
      <dl className={classes(styles["system-facts"], layout["figures"])}>
        {(Object.keys(facts) as (keyof typeof facts)[]).map((name) => (
          <div key={name}>
            <dt>{t(`operations.system.facts.${name}`)}</dt>
            <dd>{facts[name]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
