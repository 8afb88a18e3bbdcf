import { useTranslation } from "react-i18next";
import { Link } from "../app/router";
import type { Summary } from "../session/api";
import { focusedMs, isOngoing, silentSince, useNow, useProgress } from "../session/live";
import { SiteIcon } from "../ui/site-icon";
import { StatusBadge } from "../session/status-badge";
import { nameOf } from "../session/session-name";
import { useDates } from "../ui/time/dates";
import { ticking } from "../ui/time/durations";
import { Thumbnail } from "./thumbnail";
import { pagesOf, timeOf } from "./session-figures";
import styles from "./session-row.module.css";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";

const MOST_DOMAINS = 4;

export type Lines = readonly (readonly number[])[];

interface Props {
  readonly session: Summary;
  readonly withDay: boolean;
  /** Its mind map, if it has one. */
  readonly thumbnail: Lines | undefined;
}

export function SessionRow({ session, withDay, thumbnail }: Props) {
  return isOngoing(session) ? (
    <LiveRow session={session} withDay={withDay} thumbnail={thumbnail} />
  ) : (
    <Row
      session={session}
      withDay={withDay}
      thumbnail={thumbnail}
      focused={session.total_duration_ms}
      now={0}
      isTicking={false}
    />
  );
}

/** A component of its own, so that only sessions that go on listen and tick. */
function LiveRow({ session, withDay, thumbnail }: Props) {
  const progress = useProgress(session);
  const now = useNow(true);
  const focused = focusedMs(session, progress, now);
  const shown = progress ?? session;
  // Without a stream only the visits that have ended are known: a clock would stand still.
  const isTicking = progress?.status === "recording";
  const row = { withDay, thumbnail, focused, now, isTicking };
  return <Row session={shown} {...row} />;
}

interface RowProps extends Props {
  readonly focused: number;
  readonly now: number;
  readonly isTicking: boolean;
}

function Row({ session, withDay, thumbnail, focused, now, isTicking }: RowProps) {
  const { t } = useTranslation();
  const dates = useDates();
  const { id, started_at, ended_at, highlight_count, top_domains, top_keywords, status } = session;
  const first = top_domains[0];
  const silent = silentSince(session, now);
  return (
    <li className={styles["session-row"]} data-status={status}>
      <SiteIcon domain={first ?? "·"} />
      <div>
        <p className={styles["session-name"]}>
          <Link className={styles["session-link"]} to={`/sessions/${id}`}>
            <bdi>{nameOf(session, t, dates)}</bdi>
          </Link>
          <StatusBadge session={session} />
        </p>
        <p className={classes(styles["session-note"], layout["figures"])}>
          <time dateTime={started_at}>{withDay ? dates.moment(started_at) : dates.time(started_at)}</time>
          {ended_at && <> – {dates.time(ended_at)}</>}
          {" · "}
          {pagesOf(session, t)}
          {highlight_count > 0 && <> · {t("overview.list.highlights", { count: highlight_count })}</>}
        </p>
        {silent && (
          <p className={styles["session-silent"]}>{t("session.silent.text", { time: dates.time(silent) })}</p>
        )}
        {top_keywords.length > 0 && (
          <p className={styles["session-note"]}>
            <bdi>{top_keywords.join(" · ")}</bdi>
          </p>
        )}
      </div>
      <div className={styles["map"]}>{thumbnail && <Thumbnail lines={thumbnail} />}</div>
      <ul className={styles["domains"]} aria-label={t("overview.list.domains")}>
        {top_domains.slice(0, MOST_DOMAINS).map((domain) => (
          <li key={domain}>
            <bdi>{domain}</bdi>
          </li>
        ))}
      </ul>
      <p className={classes(styles["session-time"], layout["figures"])}>
        {isTicking ? (
          <span className={layout["ticking"]}>{ticking(focused)}</span>
        ) : (
          timeOf(session, focused, t)
        )}
      </p>
    </li>
  );
}
