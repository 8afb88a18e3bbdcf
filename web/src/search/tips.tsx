import { useTranslation } from "../i18n/translation";
import styles from "./search.module.css";

const OPERATORS = [
  { example: '"wild yeast"', label: "exact" },
  { example: "-starter", label: "not" },
  { example: "site:wikipedia.org", label: "site" },
  { example: "before:2026-03", label: "before" },
  { example: "after:2026-01-15", label: "after" },
] as const;

export function Tips() {
  const { t } = useTranslation();
  return (
    <details className={styles["tips"]}>
      <summary>{t("search.operators.title")}</summary>
      <dl>
        {OPERATORS.map(({ example, label }) => (
          <div key={label}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{t(`search.operators.${label}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
