import { useTranslation } from "../../i18n/translation";
import { PeriodSwatch } from "../period-swatch";
import type { SessionTimeline } from "../timeline/periods";
import styles from "./strip.module.css";

const KINDS = ["focused", "unfocused", "idle", "asleep", "no_page"] as const;

/** The kinds of periods that this session has. */
export function Legend({ timeline }: { readonly timeline: SessionTimeline }) {
  const { t } = useTranslation();
  const present = new Set(timeline.periods.map(({ kind }) => kind));
  return (
    <ul className={styles["legend"]} aria-label={t("session.strip.legend")}>
      {KINDS.filter((kind) => present.has(kind)).map((kind) => (
        <li key={kind}>
          <PeriodSwatch kind={kind} />
          {t(`session.kinds.${kind}`)}
        </li>
      ))}
    </ul>
  );
}
