/** What is not as it should be with a session: each a sentence and a way on. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { detailQuery, listKey, reprocess, type Detail, type Progress } from "./api";
import { silentSince } from "./live";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { useDates } from "../ui/time/dates";
import { FailureNotice, Notice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";

interface Props {
  readonly detail: Detail;
  readonly progress: Progress | null;
  readonly now: number;
}

export function Warnings({ detail, progress, now }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const session = progress ?? detail.session;
  const silent = silentSince(session, now);
  return (
    <>
      {silent && (
        <Notice tone="bad">
          <p>{t("session.silent.text", { time: dates.moment(silent) })}</p>
          <p>{t("session.silent.wayOut")}</p>
          <p>
            <Link to="/settings/devices">{t("session.silent.device")}</Link>
          </p>
        </Notice>
      )}
      {session.status === "failed" && <Failed id={session.id} error={detail.session.error} />}
      {detail.session.expires_at !== null && (
        <Notice>
          <p>{t("session.expires", { day: dates.day(detail.session.expires_at) })}</p>
          <p>
            <Link to="/settings/plan">{t("session.plan")}</Link>
          </p>
        </Notice>
      )}
      {detail.session.is_over_limit && <p className={layout["soft"]}>{t("session.overLimit")}</p>}
      {detail.holes.length > 0 && <Notice>{t("session.incomplete")}</Notice>}
      {detail.session.rejected_count > 0 && (
        <p className={layout["soft"]}>{t("session.rejected", { count: detail.session.rejected_count })}</p>
      )}
    </>
  );
}

function Failed({ id, error }: { readonly id: string; readonly error: string | null }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const again = useAction(() => reprocess(id), {
    done: () => {
      void queries.invalidateQueries({ queryKey: detailQuery(id).queryKey });
      void queries.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <Notice tone="bad">
      <p>{t("session.failed")}</p>
      {error && (
        <p>
          <code>{error}</code>
        </p>
      )}
      <p>{t("session.failedText")}</p>
      <FailureNotice failure={again.failure} />
      <Button
        isBusy={again.isBusy}
        onClick={() => {
          again.run();
        }}
      >
        {t("session.again")}
      </Button>
    </Notice>
  );
}
