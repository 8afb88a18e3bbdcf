/** What a session's row says in numbers: the server's counts, in words. Pure. */
import type { TFunction } from "../i18n/translate";
import type { Summary } from "../session/api";
import { inHours } from "../ui/time/durations";

type Counted = Pick<Summary, "page_count" | "status">;

/** The server's count of pages; a session without any says so. */
export function pagesOf({ page_count, status }: Counted, t: TFunction): string {
  if (page_count > 0 || status === "processing") return t("overview.list.pages", { count: page_count });
  return status === "recording" ? t("overview.list.noPageYet") : t("session.empty");
}

export function timeOf({ page_count, status }: Counted, focused: number, t: TFunction): string {
  return page_count === 0 && focused === 0 && status === "completed" ? "–" : inHours(focused, t);
}
