/** How the app looks and speaks: kept in this browser, and the language also with the account where there is one. */
import { useTranslation } from "react-i18next";
import { chooseLanguage, LANGUAGES, type Language } from "./i18n";
import { chooseTheme, THEMES, useTheme } from "./theme";
import { Icon } from "./ui/icons";

export function LanguageSwitch({ onChoose }: { readonly onChoose?: (language: Language) => void }) {
  const { t, i18n } = useTranslation();
  return (
    <div className="switch" role="group" aria-label={t("language.label")}>
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

export function ThemeSwitch() {
  const { t } = useTranslation();
  const chosen = useTheme();
  return (
    <div className="switch" role="group" aria-label={t("theme.label")}>
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          className="switch-icon"
          aria-label={t(`theme.${theme}`)}
          title={t(`theme.${theme}`)}
          aria-pressed={chosen === theme}
          onClick={() => {
            chooseTheme(theme);
          }}
        >
          <Icon name={theme} />
        </button>
      ))}
    </div>
  );
}
