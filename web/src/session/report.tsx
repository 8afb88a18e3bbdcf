/** What the mail about a session says, and whether it was sent. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { reportQuery, type Report } from "./api";
import { Dialog } from "../ui/plain-dialog";
import { Trouble, Waiting } from "../ui/notice";
import { useDates } from "../ui/time/dates";
import { inWords } from "../ui/time/durations";
import layout from "../ui/styles/layout.module.css";
import styles from "./report.module.css";

export function ReportDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(reportQuery(id));
  return (
    <Dialog title={t("session.report.title")} close={close}>
      {data ? <Content report={data} /> : error ? <Trouble error={error} retry={refetch} /> : <Waiting />}
    </Dialog>
  );
}

function Content({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const dates = useDates();
  const { total_duration_ms, page_count, highlight_count, top_keywords, longest, sent_at } = report;
  // Null until the session is completed, which the generated type doesn't say.
  const state = report.state;
  return (
    <div className={layout["stack"]}>
      <h3>
        <bdi>{report.title}</bdi>
      </h3>
      <p>
        {dates.moment(report.started_at)} · {inWords(total_duration_ms, t)} ·{" "}
        {t("mindmap.details.pages", { count: page_count })}
        {highlight_count > 0 && <> · {t("mindmap.details.highlights", { count: highlight_count })}</>}
      </p>
      {top_keywords.length > 0 && (
        <p>
          <strong>{t("session.keywords")}:</strong> <bdi>{top_keywords.join(", ")}</bdi>
        </p>
      )}
      {longest.length > 0 && (
        <ol className={styles["longest"]} aria-label={t("session.report.longest")}>
          {longest.map((page, n) => (
            <li key={n}>
              <bdi>{page.title}</bdi> <span>{inWords(page.duration_ms, t)}</span>
            </li>
          ))}
        </ol>
      )}
      <p className={layout["soft"]}>
        {state === "sent" && sent_at !== null
          ? t("session.report.sent", { time: dates.moment(sent_at) })
          : t(`session.report.states.${state ?? "none"}`)}
      </p>
    </div>
  );
}
