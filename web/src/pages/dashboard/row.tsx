import { useTranslation } from "react-i18next";
import { Link } from "../../router";
import type { Summary } from "../../sessions/api";
import { focusedMs, isGoingOn, silentSince, useNow, useProgress } from "../../sessions/live";
import { SiteMark } from "../../sessions/mark";
import { StateBadge } from "../../sessions/state-badge";
import { nameOf } from "../../sessions/words";
import { useDates } from "../../ui/dates";
import { inHours, ticking } from "../../ui/durations";

const MOST_DOMAINS = 4;

export function SessionRow({ session, withDay }: { readonly session: Summary; readonly withDay: boolean }) {
  return isGoingOn(session) ? (
    <LiveRow session={session} withDay={withDay} />
  ) : (
    <Row session={session} withDay={withDay} focused={session.total_duration_ms} now={0} isTicking={false} />
  );
}

/** A component of its own, so that only sessions that go on listen and tick. */
function LiveRow({ session, withDay }: { readonly session: Summary; readonly withDay: boolean }) {
  const progress = useProgress(session);
  const now = useNow(true);
  const focused = focusedMs(session, progress, now);
  const shown = progress ?? session;
  // Without a stream only the visits that have ended are known: a clock would stand still.
  const isTicking = progress?.status === "recording";
  return <Row session={shown} withDay={withDay} focused={focused} now={now} isTicking={isTicking} />;
}

interface RowProps {
  readonly session: Summary;
  readonly withDay: boolean;
  readonly focused: number;
  readonly now: number;
  readonly isTicking: boolean;
}

function Row({ session, withDay, focused, now, isTicking }: RowProps) {
  const { t } = useTranslation();
  const dates = useDates();
  const { id, started_at, ended_at, page_count, highlight_count, top_domains, top_keywords, status } =
    session;
  const first = top_domains[0];
  const silent = silentSince(session, now);
  return (
    <li className="session-row" data-status={status}>
      <SiteMark domain={first ?? "·"} />
      <div className="session-words">
        <p className="session-name">
          <Link className="session-link" to={`/sessions/${id}`}>
            <bdi>{nameOf(session, t, dates)}</bdi>
          </Link>
          <StateBadge session={session} />
        </p>
        <p className="session-note figures">
          <time dateTime={started_at}>{withDay ? dates.moment(started_at) : dates.time(started_at)}</time>
          {ended_at && <> – {dates.time(ended_at)}</>}
          {" · "}
          {t("list.pages", { count: page_count })}
          {highlight_count > 0 && <> · {t("list.highlights", { count: highlight_count })}</>}
        </p>
        {silent && <p className="session-silent">{t("silent.text", { time: dates.time(silent) })}</p>}
        {top_keywords.length > 0 && <p className="session-note">{top_keywords.join(" · ")}</p>}
      </div>
      <ul className="domains" aria-label={t("session.domains")}>
        {top_domains.slice(0, MOST_DOMAINS).map((domain) => (
          <li key={domain}>
            <bdi>{domain}</bdi>
          </li>
        ))}
      </ul>
      <p className="session-time figures">
        {isTicking ? <span className="ticking">{ticking(focused)}</span> : inHours(focused, t)}
      </p>
    </li>
  );
}
