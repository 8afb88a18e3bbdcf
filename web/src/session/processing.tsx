/** How far a session has come on its way from the recording to its map, as the server tells it. */
import { useTranslation } from "../i18n/translation";
import type { Progress } from "./api";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";
import styles from "./processing.module.css";

const STEPS = ["summaries", "map", "mail"] as const;
type StepName = (typeof STEPS)[number];

export function Processing({ progress }: { readonly progress: Progress | null }) {
  const { t } = useTranslation();
  const now = progress?.processing ?? null;
  const at = now === null ? -1 : STEPS.indexOf(now.step as StepName);
  return (
    <section className={classes(layout["panel"], styles["processing"])} aria-labelledby="processing-title">
      <h2 id="processing-title">{t("session.processing.title")}</h2>
      <ol className={styles["steps"]}>
        {STEPS.map((step, n) => (
          <li
            key={step}
            data-state={n < at ? "done" : n === at ? "now" : "later"}
            aria-current={n === at ? "step" : undefined}
          >
            {t(`session.processing.steps.${step}`)}
            {n === at && now !== null && step === "summaries" && now.total > 0 && (
              <>
                {" · "}
                {t("session.processing.count", { done: now.done, total: now.total })}
              </>
            )}
          </li>
        ))}
      </ol>
      <p className={layout["sr-only"]} role="status">
        {at >= 0 && t(`session.processing.steps.${STEPS[at] ?? "map"}`)}
      </p>
      {now !== null && now.total > 0 && (
        <progress max={now.total} value={now.done} aria-label={t("session.processing.title")} />
      )}
    </section>
  );
}
