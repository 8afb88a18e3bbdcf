import { useTranslation } from "../i18n/translation";
import { Notice } from "../ui/notice";
import type { Troubles } from "./health";
import styles from "./operations.module.css";

/** How the server is doing, in a sentence or two; what to do about it stands with each part below. */
export function Summary({ troubles: { dead, late, stopped, ticking } }: { readonly troubles: Troubles }) {
  const { t } = useTranslation();
  const told = [
    dead > 0 && t("operations.troubles.failed", { count: dead }),
    late > 0 && t("operations.troubles.late", { count: late }),
    stopped > 0 && t("operations.troubles.stopped", { count: stopped }),
    (ticking === "late" || ticking === "never") && t(`operations.troubles.scheduler.${ticking}`),
  ].filter((each) => each !== false);
  if (told.length > 0)
    return (
      <Notice tone="bad">
        <h2>{t("operations.troubles.title")}</h2>
        <ul className={styles["troubles"]}>
          {told.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </Notice>
    );
  return (
    <Notice tone="good">
      <h2>{t("operations.well")}</h2>
      <p>{t(ticking === "awaited" ? "operations.wellAwaited" : "operations.wellText")}</p>
    </Notice>
  );
}
