/** Several sessions as one: the strip of one of them, one timeline, every page once. Nothing can be changed here. */
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, useCameFrom, useLocation } from "../app/router";
import { NarrowScreen, useArrival } from "../app/screen";
import { detailQuery, type Detail } from "../session/api";
import { Listed } from "../session/listed";
import { nameOf } from "../session/session-name";
import { Strip } from "../session/strip/strip";
import { keyOf, type Period } from "../session/timeline/periods";
import { Timeline, type Reveal } from "../session/timeline/timeline";
import { Button, buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { useHidden } from "../ui/deletions";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { useDates } from "../ui/time/dates";
import { inWords } from "../ui/time/durations";
import { mergedOf, sessionOf } from "./merged";
import { idsIn } from "./together-address";
import styles from "./together.module.css";

export default function TogetherScreen() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const hidden = useHidden();
  const ids = idsIn(search).filter((id) => !hidden.has(id));
  const found = useQueries({ queries: ids.map(detailQuery) });
  const failed = found.find(({ error }) => error !== null);
  const details = found.flatMap(({ data }) => (data ? [data] : []));
  if (ids.length === 0)
    return (
      <NarrowScreen title={t("together.title")} lead={t("together.none")}>
        <p>
          <Link className={buttonClass("plain")} to="/">
            {t("session.back")}
          </Link>
        </p>
      </NarrowScreen>
    );
  if (failed) return <Trouble error={failed.error} retry={failed.refetch} />;
  if (details.length < ids.length) return <Waiting />;
  return <Together details={details} />;
}

function Together({ details }: { readonly details: readonly Detail[] }) {
  const { t } = useTranslation();
  const title = t("together.heading", { count: details.length });
  const heading = useArrival(title);
  const from = useCameFrom();
  const merged = useMemo(() => mergedOf(details), [details]);
  const { timeline, visits } = merged;
  const reveal = useRef<Reveal>(null);
  const [selected, select] = useState<string | null>(null);
  const [zoomTarget, setZoomTarget] = useState<Period | null>(null);
  const [shown, setShown] = useState(0);
  const strip = merged.timelines[shown] ?? timeline;
  const showOnStrip = useCallback(
    (period: Period) => {
      setShown(sessionOf(period, merged));
      setZoomTarget({ ...period }); // the same one twice is asked for twice
    },
    [merged],
  );
  return (
    <article className={styles["together"]}>
      <Link className={layout["back"]} to={from?.startsWith("/?") ? from : "/"}>
        {t("session.back")}
      </Link>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <dl className={classes(styles["facts"], layout["figures"])}>
        <Fact name={t("session.focused")} value={inWords(merged.focusedMs, t)} />
        <Fact name={t("session.pages")} value={merged.pages} />
        <Fact name={t("session.visits")} value={visits.length} />
      </dl>
      <Sessions
        details={merged.sessions}
        shown={shown}
        show={(n) => {
          setShown(n);
          setZoomTarget(null);
        }}
      />
      <Strip
        key={shown}
        timeline={strip}
        selected={selected}
        lit={null}
        zoomTarget={zoomTarget}
        hover={nothing}
        choose={(period) => {
          select(keyOf(period));
          reveal.current?.(period);
        }}
      />
      <Listed
        visits={visits}
        hover={nothing}
        byTime={
          <Timeline
            timeline={timeline}
            revealRef={reveal}
            selected={selected}
            select={select}
            hover={nothing}
            showOnStrip={showOnStrip}
          />
        }
      />
    </article>
  );
}

function nothing(): void {
  // There is no map beside it to light up.
}

interface SessionsProps {
  readonly details: readonly Detail[];
  /** Whose strip is shown. */
  readonly shown: number;
  readonly show: (n: number) => void;
}

function Sessions({ details, shown, show }: SessionsProps) {
  const { t } = useTranslation();
  const dates = useDates();
  return (
    <ul className={styles["sessions"]} aria-label={t("overview.list.title")}>
      {details.map(({ session }, n) => (
        <li key={session.id} aria-current={n === shown ? "true" : undefined}>
          <span>
            <Link to={`/sessions/${session.id}`}>
              <bdi>{nameOf(session, t, dates)}</bdi>
            </Link>{" "}
            <span className={classes(layout["soft"], layout["figures"])}>
              {dates.moment(session.started_at)} · {inWords(session.total_duration_ms, t)}
            </span>
          </span>
          {details.length > 1 && (
            <Button
              look="quiet"
              aria-pressed={n === shown}
              aria-label={t("together.onStrip", { name: nameOf(session, t, dates) })}
              onClick={() => {
                show(n);
              }}
            >
              {t("session.timeline.onStrip")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
