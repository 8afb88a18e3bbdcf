/** A highlighted text. Whatever pages wrote is text here, and nothing else. */
import { useTranslation } from "../i18n/translation";
import styles from "./quote.module.css";

const LONG = 400;

export function Quote({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  if (text.length <= LONG)
    return (
      <blockquote className={styles["quote"]} dir="auto">
        <p>{text}</p>
      </blockquote>
    );
  return (
    <blockquote className={styles["quote"]} dir="auto">
      <p>{Array.from(text).slice(0, LONG).join("")}…</p>
      <details>
        <summary>{t("highlights.readAll")}</summary>
        <p className={styles["whole"]}>{text}</p>
      </details>
    </blockquote>
  );
}
