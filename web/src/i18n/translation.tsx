/** The language in use, for every component: one subscription for the whole app. */
import { createContext, use, useSyncExternalStore, type ReactNode } from "react";
import { currentLanguage, onLanguage } from "./languages";
import { translator, type Language, type TFunction } from "./translate";

const LanguageContext = createContext<Language | null>(null);

export function TranslationProvider({ children }: { readonly children: ReactNode }) {
  return (
    <LanguageContext value={useSyncExternalStore(onLanguage, currentLanguage)}>{children}</LanguageContext>
  );
}

export function useTranslation(): { readonly t: TFunction; readonly language: Language } {
  const language = use(LanguageContext) ?? currentLanguage();
  return { t: translator(language), language };
}
