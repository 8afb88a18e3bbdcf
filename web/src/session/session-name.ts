/** What a session is called, and in which state it is. */
import type { TFunction } from "i18next";
import type { Dates } from "../ui/time/dates";
import type { Summary } from "./api";

export function nameOf(session: Pick<Summary, "title" | "started_at">, t: TFunction, dates: Dates): string {
  return session.title ?? t("session.untitled", { time: dates.moment(session.started_at) });
}
