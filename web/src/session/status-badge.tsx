import { useTranslation } from "../i18n/translation";
import { Badge, StatusPill } from "../ui/badge";
import { useDates } from "../ui/time/dates";
import type { Summary } from "./api";

interface Props {
  readonly session: Pick<Summary, "status" | "is_incomplete" | "expires_at">;
}

/** A completed session is the normal case and has no badge. */
export function StatusBadge({ session }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const { status, is_incomplete, expires_at } = session;
  return (
    <>
      {status !== "completed" && <StatusPill status={status}>{t(`session.status.${status}`)}</StatusPill>}
      {is_incomplete && status !== "recording" && (
        <StatusPill status="incomplete">{t("session.incompleteBadge")}</StatusPill>
      )}
      {expires_at !== null && (
        <Badge tone="warn">{t("session.expiresBadge", { day: dates.day(expires_at) })}</Badge>
      )}
    </>
  );
}
