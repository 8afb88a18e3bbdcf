/** What the browser knows about the person: the first guess at their time zone and language. */
import { currentLanguage, type Language } from "../i18n/languages";

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

export function browserGuess(): { timezone: string; language: Language } {
  return { timezone: browserZone(), language: currentLanguage() };
}
