import type { TFunction } from "../../i18n/translate";
import { memo } from "react";
import { useTranslation } from "../../i18n/translation";
import { en } from "../en";
import type { Hole, Summary, Visit } from "../api";
import { nameOf } from "../session-name";
import { Link } from "../../app/router";
import { watchAddress } from "../../shops/watch-address";
import { pageAddress } from "../../visited/page-address";
import { tinted } from "../../ui/domain-colors";
import { Icon } from "../../ui/icons";
import { SiteIcon } from "../../ui/site-icon";
import type { Period } from "./periods";
import { useDates } from "../../ui/time/dates";
import { exactly, inWords } from "../../ui/time/durations";
import { safeHref, shortUrl } from "../../ui/addresses";
import styles from "./rows.module.css";
import { PeriodSwatch } from "../period-swatch";
import { classes } from "../../ui/classes";

/** At most so many highlights of a visit; `timeline.tsx` leaves room for them. */
export const HIGHLIGHTS_SHOWN = 2;

interface VisitProps {
  readonly period: Period;
  readonly visit: Visit;
  readonly longest: number;
  readonly showOnStrip: (period: Period) => void;
  readonly forget: ((visit: Visit) => void) | undefined;
  readonly remind: (visit: Visit) => void;
}

export const VisitRow = memo(function VisitRow(props: VisitProps) {
  const { period, visit, longest, showOnStrip, forget, remind } = props;
  const { t } = useTranslation();
  const came = cameOf(visit, period, t);
  return (
    <div className={styles["visit"]} data-kind={period.kind} {...tinted(visit.domain)}>
      <Times period={period} showOnStrip={showOnStrip} />
      <SiteIcon domain={visit.domain} favicon={visit.favicon} />
      <div className={styles["visit-words"]}>
        <p className={styles["visit-title"]}>
          <a href={safeHref(visit.url)} target="_blank" rel="noreferrer noopener" title={shown(visit.url)}>
            <bdi>{shown(visit.title ?? "") || shortUrl(visit.url) || t("session.timeline.noTitle")}</bdi>
          </a>
        </p>
        <p className={styles["visit-note"]}>
          <Link
            to={pageAddress(visit.url_id)}
            aria-label={t("visited.of", {
              domain: visit.domain,
              name: shown(visit.title ?? "") || visit.domain,
            })}
          >
            <bdi>{visit.domain}</bdi>
          </Link>
          {!visit.is_focused && <> · {t("session.kinds.unfocused")}</>}
          {came !== "" && (
            <>
              {" · "}
              <bdi>{came}</bdi>
            </>
          )}
        </p>
        {period.highlights.slice(0, HIGHLIGHTS_SHOWN).map((highlight) => (
          <p key={highlight.id} className={styles["visit-highlight"]} dir="auto">
            <q>{shown(highlight.text)}</q>
          </p>
        ))}
      </div>
      <Dwell period={period} longest={longest} />
      <Link
        className={styles["watch"]}
        to={watchAddress(visit.url, visit.title)}
        title={t("shops.watchThis.label")}
        aria-label={t("shops.watchThis.labelOf", { name: shown(visit.title ?? "") || visit.domain })}
      >
        <Icon name="tag" />
      </Link>
      <button
        type="button"
        className={styles["remind"]}
        title={t("reminders.remind.label")}
        aria-label={t("reminders.remind.labelOf", { name: shown(visit.title ?? "") || visit.domain })}
        onClick={() => {
          remind(visit);
        }}
      >
        <Icon name="bell" />
      </button>
      {forget && (
        <button
          type="button"
          className={styles["forget"]}
          title={t("forget.label")}
          aria-label={t("forget.labelOf", { name: shown(visit.title ?? "") || visit.domain })}
          onClick={() => {
            forget(visit);
          }}
        >
          <Icon name="bin" />
        </button>
      )}
    </div>
  );
});

export function PauseRow({
  period,
  longest,
  showOnStrip,
}: Pick<VisitProps, "period" | "longest" | "showOnStrip">) {
  const { t } = useTranslation();
  return (
    <div className={styles["visit"]} data-kind={period.kind}>
      <Times period={period} showOnStrip={showOnStrip} />
      <PeriodSwatch kind={period.kind} />
      <p className={styles["visit-note"]}>{t(`session.kinds.${period.kind}`)}</p>
      <Dwell period={period} longest={longest} />
    </div>
  );
}

/** Which of several sessions the rows below are of. */
export function SessionRow({ session }: { readonly session: Summary }) {
  const { t } = useTranslation();
  const dates = useDates();
  return (
    <p className={styles["session"]}>
      <Link to={`/sessions/${session.id}`}>
        <bdi>{shown(nameOf(session, t, dates))}</bdi>
      </Link>
      <span>{dates.day(session.started_at)}</span>
    </p>
  );
}

export function HoleRow({ hole, isAwaited }: { readonly hole: Hole; readonly isAwaited: boolean }) {
  const { t } = useTranslation();
  const count = hole.to_seq - hole.from_seq + 1;
  const range = { count, from: hole.from_seq, to: hole.to_seq };
  return (
    <div className={classes(styles["visit"], styles["hole"])} data-kind="hole">
      <div className={styles["hole-words"]}>
        <p className={styles["visit-title"]}>{t("session.timeline.hole", { count })}</p>
        <p className={styles["visit-note"]}>
          {isAwaited ? t("session.timeline.holeWaiting", range) : t("session.timeline.holeGivenUp", range)}
        </p>
      </div>
    </div>
  );
}

/** When it began and ended, exactly; a click shows it on the strip. */
function Times({ period, showOnStrip }: Pick<VisitProps, "period" | "showOnStrip">) {
  const { t } = useTranslation();
  const dates = useDates();
  const { from, to, isOpen } = period;
  return (
    <button
      type="button"
      className={styles["times"]}
      title={t("session.timeline.onStrip")}
      onClick={() => {
        showOnStrip(period);
      }}
    >
      <time dateTime={new Date(from).toISOString()}>{dates.exact(from)}</time>
      <span className={styles["times-end"]}>
        {isOpen ? (
          t("session.timeline.now")
        ) : (
          <time dateTime={new Date(to).toISOString()}>{dates.exact(to)}</time>
        )}
      </span>
    </button>
  );
}

/** The longest visit fills the width; so do pauses that are longer still. */
function Dwell({ period, longest }: { readonly period: Period; readonly longest: number }) {
  const { t } = useTranslation();
  const ms = period.to - period.from;
  return (
    <div className={styles["dwell"]} data-kind={period.kind}>
      <span className={styles["dwell-time"]} title={exactly(ms)}>
        {inWords(ms, t)}
      </span>
      <span className={styles["dwell-bar"]} style={{ width: `${Math.min(100, (100 * ms) / longest)}%` }} />
    </div>
  );
}

/** How the person came to the page, as far as it is known. */
function cameOf({ transition, came_from }: Visit, { shown: found }: Period, t: TFunction): string {
  if (found !== null) return t(`session.timeline.shown.${found}`);
  const way = transition === null ? "" : wayOf(transition, t);
  if (came_from === null) return way;
  const page = shown(shortUrl(came_from));
  return way === "" ? t("session.timeline.from", { page }) : t("session.timeline.wayFrom", { way, page });
}

type Way = keyof typeof en.timeline.ways;

function wayOf(transition: string, t: TFunction): string {
  return isWay(transition) ? t(`session.timeline.ways.${transition}`) : shown(transition);
}

function isWay(transition: string): transition is Way {
  return Object.hasOwn(en.timeline.ways, transition);
}

const MOST_LETTERS = 300;

/** A title of ten thousand letters must not slow the list down. */
function shown(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}
