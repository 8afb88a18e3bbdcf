/** What is not as it should be with a session: each a sentence and a way on. */
import { useTranslation } from "react-i18next";
import { Link } from "../../router";
import type { Detail, Progress } from "../../sessions/api";
import { silentSince } from "../../sessions/live";
import { useDates } from "../../ui/dates";
import { Notice } from "../../ui/notice";

interface Props {
  readonly detail: Detail;
  readonly progress: Progress | null;
  readonly now: number;
}

export function Troubles({ detail, progress, now }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const session = progress ?? detail.session;
  const silent = silentSince(session, now);
  return (
    <>
      {silent && (
        <Notice tone="bad">
          <p>{t("silent.text", { time: dates.moment(silent) })}</p>
          <p>{t("silent.wayOut")}</p>
          <p>
            <Link to="/settings/devices">{t("silent.device")}</Link>
          </p>
        </Notice>
      )}
      {session.status === "failed" && (
        <Notice tone="bad">
          <p>{t("session.failed")}</p>
          {detail.session.error && (
            <p>
              <code>{detail.session.error}</code>
            </p>
          )}
          <p>{t("session.failedText")}</p>
        </Notice>
      )}
      {detail.holes.length > 0 && <Notice>{t("session.incomplete")}</Notice>}
      {detail.session.rejected_count > 0 && (
        <p className="soft">{t("session.rejected", { count: detail.session.rejected_count })}</p>
      )}
    </>
  );
}
