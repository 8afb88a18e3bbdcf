/** Times as the person reads them: their language, their region's habits, their time zone. */
import { use } from "react";
import { useTranslation } from "react-i18next";
import { MeContext } from "../account/me";

export interface Dates {
  /** Day and time of day. */
  readonly moment: (iso: string) => string;
  readonly day: (iso: string) => string;
}

export function useDates(): Dates {
  const { i18n } = useTranslation();
  return datesIn(localeOf(i18n.language, navigator.languages), use(MeContext)?.settings.timezone);
}

export function datesIn(locale: string, timeZone: string | undefined): Dates {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = formatterOf(locale, timeZone, options);
    return (iso: string) => formatter.format(new Date(iso));
  };
  return {
    moment: format({ dateStyle: "medium", timeStyle: "short" }),
    day: format({ dateStyle: "medium" }),
  };
}

/** The browser's own region for the language, where it has one: en-GB writes dates otherwise than en-US. */
export function localeOf(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}

/** A zone that this browser is too old to know must not take the screen away. */
function formatterOf(
  locale: string,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, options);
  }
}
