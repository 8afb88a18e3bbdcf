import { useTranslation } from "react-i18next";
import { StatusPill } from "../ui/badge";
import type { Summary } from "./api";

/** A completed session is the normal case and has no badge. */
export function StatusBadge({ session }: { readonly session: Pick<Summary, "status" | "is_incomplete"> }) {
  const { t } = useTranslation();
  const { status, is_incomplete } = session;
  return (
    <>
      {status !== "completed" && <StatusPill status={status}>{t(`session.status.${status}`)}</StatusPill>}
      {is_incomplete && status !== "recording" && (
        <StatusPill status="incomplete">{t("session.incompleteBadge")}</StatusPill>
      )}
    </>
  );
}
