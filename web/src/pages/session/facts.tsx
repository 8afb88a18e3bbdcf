import { useTranslation } from "react-i18next";
import type { Detail, Progress } from "../../sessions/api";
import { focusedMs, heardUntil } from "../../sessions/live";
import type { Line } from "../../sessions/stretches";
import { useDates } from "../../ui/dates";
import { inWords, ticking } from "../../ui/durations";

interface Props {
  readonly detail: Detail;
  readonly line: Line;
  readonly progress: Progress | null;
  readonly now: number;
}

export function Facts({ detail, line, progress, now }: Props) {
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
    : line.to - line.from;
  return (
    <div className="facts-place">
      <p className="facts-when figures">
        {dates.weekday(session.started_at)} ·{" "}
        <time dateTime={session.started_at}>{dates.clock(session.started_at)}</time>
        {" – "}
        {session.ended_at ? (
          <time dateTime={session.ended_at}>{dates.clock(session.ended_at)}</time>
        ) : (
          t("timeline.now")
        )}
      </p>
      <dl className="session-facts figures" aria-label={t("session.facts")}>
        <Fact
          name={t("session.focused")}
          value={isRecording ? ticking(focused) : inWords(focused, t)}
          isMain
        />
        <Fact name={t("session.span")} value={isRecording ? ticking(span) : inWords(span, t)} />
        <Fact name={t("session.pages")} value={session.page_count} />
        <Fact name={t("session.visits")} value={detail.page_visits.length} />
        <Fact name={t("session.switches")} value={short} />
        {session.highlight_count > 0 && (
          <Fact name={t("session.highlights")} value={session.highlight_count} />
        )}
      </dl>
      {progress?.page_now && isRecording && (
        <p className="page-now">
          <span className="soft">
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
