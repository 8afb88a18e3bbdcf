import { useTranslation } from "../i18n/translation";
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
import type { Selecting } from "./use-selecting";
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
  /** While sessions are selected. */
  readonly selecting: Pick<Selecting, "has" | "toggle"> | null;
}

export function SessionRow(props: Props) {
  const { session } = props;
  return isOngoing(session) ? (
    <LiveRow {...props} />
  ) : (
    <Row {...props} focused={session.total_duration_ms} now={0} isTicking={false} />
  );
}

/** A component of its own, so that only sessions that go on listen and tick. */
function LiveRow({ session, ...rest }: Props) {
  const progress = useProgress(session);
  const now = useNow(true);
  const focused = focusedMs(session, progress, now);
  const shown = progress ?? session;
  // Without a stream only the visits that have ended are known: a clock would stand still.
  const isTicking = progress?.status === "recording";
  const row = { ...rest, focused, now, isTicking };
  return <Row session={shown} {...row} />;
}

interface RowProps extends Props {
  readonly focused: number;
  readonly now: number;
  readonly isTicking: boolean;
}

function Row({ session, withDay, thumbnail, selecting, focused, now, isTicking }: RowProps) {
  const { t } = useTranslation();
  const dates = useDates();
  const { id, started_at, ended_at, highlight_count, top_domains, top_keywords, status } = session;
  const first = top_domains[0];
  const silent = silentSince(session, now);
  return (
    <li
      className={styles["session-row"]}
      data-status={status}
      data-session={id}
      data-selected={selecting?.has(id)}
    >
      {selecting ? <Choice session={session} selecting={selecting} /> : <SiteIcon domain={first ?? "·"} />}
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

interface ChoiceProps {
  readonly session: Summary;
  readonly selecting: Pick<Selecting, "has" | "toggle">;
}

/** In the place of the icon; with Shift, everything from the last one chosen. */
function Choice({ session, selecting }: ChoiceProps) {
  const { t } = useTranslation();
  const dates = useDates();
  return (
    <label className={styles["choice"]}>
      <span className={layout["sr-only"]}>
        {t("overview.select.one", { name: nameOf(session, t, dates) })}
      </span>
      <input
        type="checkbox"
        checked={selecting.has(session.id)}
        onChange={({ nativeEvent }) => {
          selecting.toggle(session.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
        }}
      />
    </label>
  );
}
