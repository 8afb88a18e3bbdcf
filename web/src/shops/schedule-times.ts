/** Cron expressions as people choose and read them: every day at 8, every Monday, or the expression itself. Pure. */
import type { TFunction } from "../i18n/translate";

export const KINDS = ["hourly", "sixHours", "daily", "weekdays", "weekly", "custom"] as const;
export type Kind = (typeof KINDS)[number];

/** What a form asks for; only some of it counts for each kind. */
export interface Times {
  readonly kind: Kind;
  /** 08:00 */
  readonly at: string;
  /** 1 is Monday, 7 Sunday. */
  readonly weekday: number;
  readonly cron: string;
}

export const USUAL: Times = { kind: "daily", at: "08:00", weekday: 1, cron: "0 8 * * *" };

const NUMBER = /^\d+$/;
const EVERY = /^\*\/(\d+)$/;

export function cronOf({ kind, at, weekday, cron }: Times): string {
  const [hour = 0, minute = 0] = at.split(":").map(Number);
  if (kind === "custom") return cron.trim();
  if (kind === "hourly") return "0 * * * *";
  if (kind === "sixHours") return "0 */6 * * *";
  const days = kind === "weekdays" ? "1-5" : kind === "weekly" ? String(weekday % 7) : "*";
  return `${minute} ${hour} * * ${days}`;
}

export function timesOf(cron: string): Times {
  const [minute = "", hour = "", day, month, weekday = ""] = cron.trim().split(/\s+/);
  const custom = { ...USUAL, kind: "custom", cron } as const;
  if (day !== "*" || month !== "*") return custom;
  if (cron === "0 * * * *") return { ...USUAL, kind: "hourly", cron };
  if (cron === "0 */6 * * *") return { ...USUAL, kind: "sixHours", cron };
  const at = clockOf(hour, minute);
  if (at === null) return custom;
  if (weekday === "*") return { ...USUAL, kind: "daily", at, cron };
  if (weekday === "1-5") return { ...USUAL, kind: "weekdays", at, cron };
  if (/^[0-7]$/.test(weekday)) return { kind: "weekly", at, weekday: Number(weekday) || 7, cron };
  return custom;
}

export function inWords(cron: string, locale: string, t: TFunction): string {
  const times = timesOf(cron);
  const time = timeName(times.at, locale);
  if (times.kind === "weekly")
    return t("shops.times.words.weekly", { day: weekdayName(times.weekday, locale), time });
  if (times.kind !== "custom") return t(`shops.times.words.${times.kind}`, { time });
  const [minute = "", hour = "", ...rest] = cron.trim().split(/\s+/);
  const isEveryDay = rest.join(" ") === "* * *";
  const minutes = EVERY.exec(minute)?.[1];
  if (isEveryDay && minutes !== undefined && hour === "*" && 60 % Number(minutes) === 0)
    return t("shops.times.words.minutes", { count: Number(minutes) });
  const hours = EVERY.exec(hour)?.[1];
  if (isEveryDay && hours !== undefined && NUMBER.test(minute) && 24 % Number(hours) === 0)
    return t("shops.times.words.hours", { count: Number(hours) });
  return t("shops.times.words.custom", { cron });
}

/** 1 is Monday. */
export function weekdayName(weekday: number, locale: string): string {
  const formatter = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  return formatter.format(Date.UTC(2024, 0, weekday)); // 1 January 2024 was a Monday
}

function timeName(at: string, locale: string): string {
  const formatter = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  return formatter.format(new Date(`2024-01-01T${at}:00Z`));
}

function clockOf(hour: string, minute: string): string | null {
  if (!NUMBER.test(hour) || !NUMBER.test(minute) || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
}
