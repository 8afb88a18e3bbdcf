/** Times in the person's language, region and time zone. */
import { use } from "react";
import { useTranslation } from "../../i18n/translation";
import { dateOf } from "./calendar";
import { TimeZoneContext } from "./time-zone";

type When = string | number;

export interface Dates {
  /** Day and time of day. */
  readonly moment: (at: When) => string;
  /** As people say it: today, 07:00; 20 Nov, 07:00 of this year; else day and time of day. */
  readonly near: (at: When, now?: When) => string;
  readonly day: (at: When) => string;
  /** 16 Nov, 07:00 */
  readonly dayAndTime: (at: When) => string;
  /** Monday, 16 November */
  readonly weekday: (at: When) => string;
  /** Hours and minutes. */
  readonly time: (at: When) => string;
  /** To the second. */
  readonly clock: (at: When) => string;
  /** To the millisecond. */
  readonly exact: (at: When) => string;
}

export function useDates(): Dates {
  return datesIn(useLocale(), use(TimeZoneContext));
}

export function useLocale(): string {
  const { language } = useTranslation();
  return localeOf(language, navigator.languages);
}

/** A calendar date: 2026-11-16 is Mon, 16 Nov. It has no hour, and so no time zone. */
export function useDayName(): (date: string) => string {
  const locale = useLocale();
  const formatter = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  return (date) => formatter.format(new Date(`${date}T12:00:00Z`));
}

const DAY = 86_400_000;
const made = new Map<string, Dates>();

/** Each is kept: creating a formatter takes longer than using it a hundred times, and a timeline has thousands of rows. */
export function datesIn(locale: string, timeZone: string | undefined): Dates {
  const name = `${locale} ${timeZone ?? ""}`;
  const known = made.get(name);
  if (known) return known;
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = formatterOf(locale, timeZone, options);
    return (at: When) => formatter.format(new Date(at));
  };
  // No built-in style has milliseconds, so the parts are named; 24-hour clocks have two digits for the hour.
  const { hourCycle } = formatterOf(locale, timeZone, { timeStyle: "medium" }).resolvedOptions();
  const hour = hourCycle === "h23" ? "2-digit" : "numeric";
  const moment = format({ dateStyle: "medium", timeStyle: "short" });
  const dayAndTime = format({ day: "numeric", month: "short", hour, minute: "2-digit" });
  const time = format({ timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const dates = {
    moment,
    near: (at: When, now: When = Date.now()) => {
      const [day, today] = [dateOf(new Date(at), timeZone), dateOf(new Date(now), timeZone)];
      const days = Math.round((Date.parse(day) - Date.parse(today)) / DAY);
      if (Math.abs(days) <= 1) {
        const name = relative.format(days, "day");
        return locale.startsWith("ko") ? `${name} ${time(at)}` : `${name}, ${time(at)}`;
      }
      return day.slice(0, 4) === today.slice(0, 4) ? dayAndTime(at) : moment(at);
    },
    day: format({ dateStyle: "medium" }),
    dayAndTime,
    weekday: format({ weekday: "long", day: "numeric", month: "long" }),
    time,
    clock: format({ timeStyle: "medium" }),
    exact: format({ hour, minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 }),
  };
  made.set(name, dates);
  return dates;
}

/** The browser's own region of the language, if it has one: en-GB and en-US write dates differently. */
export function localeOf(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}

/** A time zone that this browser doesn't know must not break the screen. */
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
