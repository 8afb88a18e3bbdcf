import { useTranslation } from "react-i18next";
import type { Summary } from "./api";

/** A session that is done is what one expects, and says nothing. */
export function StateBadge({ session }: { readonly session: Pick<Summary, "status" | "is_incomplete"> }) {
  const { t } = useTranslation();
  const { status, is_incomplete } = session;
  return (
    <>
      {status !== "completed" && (
        <span className="state-badge" data-status={status}>
          {t(`status.${status}`)}
        </span>
      )}
      {is_incomplete && status !== "recording" && (
        <span className="state-badge" data-status="incomplete">
          {t("list.incomplete")}
        </span>
      )}
    </>
  );
}
