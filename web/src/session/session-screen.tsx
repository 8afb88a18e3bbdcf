/** One session: what it is called, the whole of it at a glance, and every visit with its exact times. */
import { Problem, SILENCE_MS } from "@mindhit/client";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, useCameFrom, type Params } from "../app/router";
import { detailQuery, type Detail } from "./api";
import { useNow, useProgress, useThrottled } from "./live";
import { extendedTo, keyOf, timelineOf, type Period } from "./timeline/periods";
import { nameOf } from "./session-name";
import { useHidden } from "../ui/deletions";
import { useDates } from "../ui/time/dates";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen, useArrival } from "../app/screen";
import { Actions } from "./actions";
import { Facts } from "./facts";
import { Highlights } from "./highlights";
import { Listed } from "./listed";
import { MapPanel, useMapOpen } from "../mindmap/panel";
import { Processing } from "./processing";
import { Warnings } from "./warnings";
import { Strip } from "./strip/strip";
import { Timeline, type Reveal } from "./timeline/timeline";
import { Title } from "./title";
import { useOpenedAt } from "./opened-at";
import layout from "../ui/styles/layout.module.css";
import styles from "./session.module.css";
import { buttonClass } from "../ui/button";

/** A timeline of thousands of visits is not fetched at every event. */
const REFRESH_MS = 1_000;
const REFRESH_LONG_MS = 5_000;
const LONG = 500;

export default function SessionScreen({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(detailQuery(params["id"] ?? ""));
  const list = useList();
  const isHidden = useHidden().has(params["id"] ?? "");
  const isGone = isHidden || (error instanceof Problem && (error.status === 404 || error.status === 422));
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
    () => extendedTo(whole, session.status === "recording" ? now : 0, SILENCE_MS),
    [whole, session.status, now],
  );
  const reveal = useRef<Reveal>(null);
  const [selected, setPointed] = useState<string | null>(null);
  const [zoomTarget, setAimed] = useState<Period | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [lit, setLit] = useState<ReadonlySet<string> | null>(null);
  const light = useCallback((visits: readonly string[] | null) => {
    setLit(visits && new Set(visits));
  }, []);
  const [isMapOpen, setMapOpen] = useMapOpen();
  const showOnStrip = useCallback((period: Period) => {
    setAimed({ ...period }); // the same one twice is asked for twice
  }, []);
  useOpenedAt(timeline, setPointed, reveal);
  const hasTimeline = detail.page_visits.length > 0 || detail.holes.length > 0;
  return (
    // While it is recorded there is no map yet: the timeline has the whole width.
    <article
      className={styles["session"]}
      data-map={isMapOpen && hasTimeline && (progress ?? session).status !== "recording"}
    >
      <Link className={layout["back"]} to={list}>
        {t("session.back")}
      </Link>
      <div className={styles["head"]}>
        <Title session={progress ?? session} heading={heading} />
        <Facts detail={detail} timeline={timeline} progress={progress} now={now} />
        <Actions session={session} list={list} />
      </div>
      {(progress ?? session).status === "processing" && <Processing progress={progress} />}
      <Warnings detail={detail} progress={progress} now={now} />
      {hasTimeline ? (
        <div className={styles["both"]}>
          <div className={styles["map-side"]}>
            <MapPanel
              detail={detail}
              progress={progress}
              isOpen={isMapOpen}
              setOpen={setMapOpen}
              pointed={hovered}
              point={light}
            />
          </div>
          <div className={styles["time-side"]}>
            <Strip
              timeline={timeline}
              selected={selected}
              lit={lit}
              zoomTarget={zoomTarget}
              hover={setHovered}
              choose={(period) => {
                setPointed(keyOf(period));
                reveal.current?.(period);
              }}
            />
            <Highlights highlights={detail.highlights} />
            <Listed
              visits={detail.page_visits}
              hover={setHovered}
              byTime={
                <Timeline
                  detail={detail}
                  timeline={timeline}
                  revealRef={reveal}
                  selected={selected}
                  select={setPointed}
                  hover={setHovered}
                  showOnStrip={showOnStrip}
                />
              }
            />
          </div>
        </div>
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
