import { useTranslation } from "../i18n/translation";
import type { Detail, Progress } from "./api";
import { focusedMs, heardUntil } from "./live";
import type { SessionTimeline } from "./timeline/periods";
import { useDates } from "../ui/time/dates";
import { inWords, ticking } from "../ui/time/durations";
import styles from "./session.module.css";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";

interface Props {
  readonly detail: Detail;
  readonly timeline: SessionTimeline;
  readonly progress: Progress | null;
  readonly now: number;
}

export function Facts({ detail, timeline, progress, now }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const session = progress ?? detail.session;
  const isRecording = session.status === "recording";
  const focused = focusedMs(detail.session, progress, now);
  const short = detail.page_visits.filter(
    (visit) => visit.left_at !== null && visit.duration_ms < 1_000,
  ).length;
  const span = isRecording
    ? Math.max(0, heardUntil(session, now) - Date.parse(session.started_at))
    : timeline.to - timeline.from;
  return (
    <div className={styles["facts-area"]}>
      <p className={classes(styles["facts-when"], layout["figures"])}>
        {dates.weekday(session.started_at)} ·{" "}
        <time dateTime={session.started_at}>{dates.clock(session.started_at)}</time>
        {" – "}
        {session.ended_at ? (
          <time dateTime={session.ended_at}>{dates.clock(session.ended_at)}</time>
        ) : (
          t("session.timeline.now")
        )}
      </p>
      <dl className={classes(styles["session-facts"], layout["figures"])} aria-label={t("session.facts")}>
        <Fact
          name={t("session.focused")}
          value={isRecording ? ticking(focused) : inWords(focused, t)}
          isMain
        />
        <Fact name={t("session.span")} value={isRecording ? ticking(span) : inWords(span, t)} />
        <Fact name={t("session.pages")} value={session.page_count} />
        <Fact name={t("session.visits")} value={detail.page_visits.length} />
        <Fact name={t("session.short")} value={short} />
        {session.highlight_count > 0 && (
          <Fact name={t("session.highlights")} value={session.highlight_count} />
        )}
      </dl>
      {session.top_keywords.length > 0 && (
        <p className={layout["soft"]}>
          <bdi>{session.top_keywords.join(" · ")}</bdi>
        </p>
      )}
      {progress?.page_now && isRecording && (
        <p className={styles["page-now"]}>
          <span className={layout["soft"]}>
            {progress.page_now.is_focused ? t("session.now") : t("session.nowAway")}
          </span>{" "}
          <bdi>{progress.page_now.title ?? progress.page_now.url}</bdi>
        </p>
      )}
    </div>
  );
}

function Fact(props: { readonly name: string; readonly value: string | number; readonly isMain?: boolean }) {
  return (
    <div data-main={props.isMain ?? false}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}
