/** What a session is called: by its reader, else after what was read most in it, else by when it began. */
import type { TFunction } from "../i18n/translate";
import type { Dates } from "../ui/time/dates";
import type { Summary } from "./api";

export function nameOf(
  session: Pick<Summary, "title" | "named_after" | "started_at">,
  t: TFunction,
  dates: Dates,
): string {
  const { title, named_after: most } = session;
  if (title !== null) return title;
  if (!most) return t("session.untitled", { time: dates.moment(session.started_at) });
  if (most.more_pages === 0) return most.title;
  return t("session.namedAfter", { title: most.title, count: most.more_pages });
}
