/** What the browser knows about the person: the first guess at their time zone and language. */
import i18next from "i18next";
import { isLanguage, type Language } from "../i18n/languages";

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

export function browserGuess(): { timezone: string; language: Language } {
  return { timezone: browserZone(), language: isLanguage(i18next.language) ? i18next.language : "en" };
}
