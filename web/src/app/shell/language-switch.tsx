/** The language of the app: kept in this browser, and with the account of whoever is signed in (`onChoose`). */
import { useTranslation } from "react-i18next";
import { chooseLanguage, LANGUAGES, type Language } from "../../i18n/languages";
import styles from "../../ui/switch.module.css";

export function LanguageSwitch({ onChoose }: { readonly onChoose?: (language: Language) => void }) {
  const { t, i18n } = useTranslation();
  return (
    <div className={styles["switch"]} role="group" aria-label={t("app.language")}>
      {(Object.keys(LANGUAGES) as Language[]).map((tag) => (
        <button
          key={tag}
          type="button"
          lang={tag}
          aria-pressed={i18n.language === tag}
          onClick={() => {
            chooseLanguage(tag);
            onChoose?.(tag);
          }}
        >
          {LANGUAGES[tag]}
        </button>
      ))}
    </div>
  );
}
