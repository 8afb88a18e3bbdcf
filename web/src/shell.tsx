/** What stands around every screen: the name, the language switch and the main landmark. */
import "./shell.css";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, isLanguage, LANGUAGES } from "./i18n";
import { Mark } from "./mark";

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <a className="skip" href="#content">
        {t("shell.skip")}
      </a>
      <header className="top">
        <a className="brand" href="/">
          <Mark />
          MindHit
        </a>
        <LanguageSwitch />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <div className="switch" role="group" aria-label={t("language.label")}>
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <button
          key={tag}
          type="button"
          lang={tag}
          aria-pressed={i18n.language === tag}
          onClick={() => {
            if (isLanguage(tag)) chooseLanguage(tag);
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
