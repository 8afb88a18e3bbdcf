/** The language of the app: kept in this browser, and with the account of whoever is signed in (`onChoose`). */
import { useTranslation } from "../../i18n/translation";
import { chooseLanguage, LANGUAGES, type Language } from "../../i18n/languages";
import styles from "../../ui/switch.module.css";

export function LanguageSwitch({ onChoose }: { readonly onChoose?: (language: Language) => void }) {
  const { t, language } = useTranslation();
  return (
    <div className={styles["switch"]} role="group" aria-label={t("app.language")}>
      {(Object.keys(LANGUAGES) as Language[]).map((tag) => (
        <button
          key={tag}
          type="button"
          lang={tag}
          aria-pressed={language === tag}
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
