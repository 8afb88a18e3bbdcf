/** One session: what it is called, the whole of it at a glance, and every visit with its exact times. */
import { Problem } from "@mindhit/client";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useCameFrom, type Params } from "../app/router";
import { detailQuery, type Detail } from "./api";
import { huesOf } from "../ui/domain-colors";
import { SILENT_MS, useNow, useProgress, useThrottled } from "./live";
import { extendedTo, timelineOf, type Period } from "./timeline/periods";
import { nameOf } from "./session-name";
import { useDates } from "../ui/time/dates";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen, useArrival } from "../app/screen";
import { Actions } from "./actions";
import { Facts } from "./facts";
import { Highlights } from "./highlights";
import { Warnings } from "./warnings";
import { Strip } from "./strip/strip";
import { Timeline, type Reveal } from "./timeline/timeline";
import { Title } from "./title";
import styles from "./session.module.css";
import { buttonClass } from "../ui/button";

/** A timeline of thousands of visits is not fetched at every event. */
const REFRESH_MS = 1_000;
const REFRESH_LONG_MS = 5_000;
const LONG = 500;

export function SessionScreen({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(detailQuery(params["id"] ?? ""));
  const list = useList();
  const isGone = error instanceof Problem && (error.status === 404 || error.status === 422);
  // Also where it was there a moment ago: it was deleted elsewhere.
  if (data && !isGone) return <Session key={data.session.id} detail={data} refresh={refetch} />;
  if (isGone)
    return (
      <NarrowScreen title={t("app.notFound.title")} lead={t("session.gone")}>
        <p>
          <Link className={buttonClass("plain")} to={list}>
            {t("session.back")}
          </Link>
        </p>
      </NarrowScreen>
    );
  return error ? <Trouble error={error} retry={refetch} /> : <Waiting />;
}

function Session({ detail, refresh }: { readonly detail: Detail; readonly refresh: () => unknown }) {
  const { t } = useTranslation();
  const dates = useDates();
  const { session } = detail;
  const progress = useProgress(session);
  const now = useNow(session.status === "recording");
  const isLong = detail.page_visits.length > LONG;
  useThrottled(progress?.version, isLong ? REFRESH_LONG_MS : REFRESH_MS, refresh);
  const heading = useArrival(nameOf(session, t, dates));
  const list = useList();
  const whole = useMemo(() => timelineOf(detail), [detail]);
  const timeline = useMemo(
    () => extendedTo(whole, session.status === "recording" ? now : 0, SILENT_MS),
    [whole, session.status, now],
  );
  const hues = useMemo(() => huesOf(timeline.domains), [timeline.domains]);
  const reveal = useRef<Reveal>(null);
  const [selected, setPointed] = useState<string | null>(null);
  const [zoomTarget, setAimed] = useState<Period | null>(null);
  const showOnStrip = useCallback((period: Period) => {
    setAimed({ ...period }); // the same one twice is asked for twice
  }, []);
  return (
    <article className={styles["session"]}>
      <p className={styles["session-back"]}>
        <Link to={list}>← {t("session.back")}</Link>
      </p>
      <Title session={progress ?? session} heading={heading} />
      <Facts detail={detail} timeline={timeline} progress={progress} now={now} />
      <Actions session={session} />
      <Warnings detail={detail} progress={progress} now={now} />
      {timeline.periods.length > 0 ? (
        <>
          <Strip
            timeline={timeline}
            hues={hues}
            selected={selected}
            zoomTarget={zoomTarget}
            choose={(key) => {
              setPointed(key);
              reveal.current?.(key);
            }}
          />
          <Highlights highlights={detail.highlights} />
          <Timeline
            detail={detail}
            timeline={timeline}
            hues={hues}
            revealRef={reveal}
            selected={selected}
            select={setPointed}
            showOnStrip={showOnStrip}
          />
        </>
      ) : (
        <Empty isRecording={session.status === "recording"} />
      )}
    </article>
  );
}

/** The list as it was left, with what was searched for in it. */
function useList(): string {
  const from = useCameFrom() ?? "/";
  return from.startsWith("/?") ? from : "/";
}

function Empty({ isRecording }: { readonly isRecording: boolean }) {
  const { t } = useTranslation();
  return (
    <Notice>
      <h2>{t("session.empty")}</h2>
      <p>{isRecording ? t("session.emptyRecording") : t("session.emptyText")}</p>
      {!isRecording && <Link to="/settings/privacy">{t("session.emptyWay")}</Link>}
    </Notice>
  );
}
