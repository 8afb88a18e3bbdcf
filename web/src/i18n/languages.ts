/** Languages: the account's for people who are signed in; before that the last one used here, or the browser's first one that we have. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { recall, remember } from "../ui/local-storage";
import { en, ko } from "./messages";

/** Each language by its own name. */
export const LANGUAGES = { en: "English", ko: "한국어" } as const;
export type Language = keyof typeof LANGUAGES;

const REMEMBERED = "mindhit.language";

export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === "string" && Object.hasOwn(LANGUAGES, tag);
}

export function pickLanguage(remembered: string | null, wanted: readonly string[]): Language {
  const primary = wanted.map((tag) => tag.split("-")[0]?.toLowerCase());
  return [remembered, ...primary].find(isLanguage) ?? "en";
}

export function startLanguages(): void {
  i18next.on("languageChanged", (tag) => {
    document.documentElement.lang = tag;
  });
  void i18next.use(initReactI18next).init({
    resources: { en: { translation: en }, ko: { translation: ko } },
    lng: pickLanguage(recall(REMEMBERED), navigator.languages),
    fallbackLng: "en",
    initAsync: false,
    interpolation: { escapeValue: false }, // React escapes
  });
}

export function chooseLanguage(language: Language): void {
  void i18next.changeLanguage(language);
  remember(REMEMBERED, language);
}

/** The account's language goes for every browser that its person signs in with. */
export function adoptLanguage(language: Language): void {
  if (i18next.language !== language || recall(REMEMBERED) !== language) chooseLanguage(language);
}

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
