/** One session: what it is called, the whole of it at a glance, and every visit with its exact times. */
import "../../sessions/sessions.css";
import "./session.css";
import { Problem } from "@mindhit/client";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useCameFrom, type Params } from "../../router";
import { detailQuery, type Detail } from "../../sessions/api";
import { huesOf } from "../../sessions/hues";
import { SILENT_MS, useNow, useProgress, useThrottled } from "../../sessions/live";
import { lineOf, type Line, type Stretch } from "../../sessions/stretches";
import { nameOf } from "../../sessions/words";
import { useDates } from "../../ui/dates";
import { Notice, Trouble, Waiting } from "../../ui/notice";
import { NarrowScreen, useArrival } from "../../ui/screen";
import { Doings } from "./doings";
import { Facts } from "./facts";
import { Highlights } from "./highlights";
import { Troubles } from "./troubles";
import { Strip } from "./strip";
import { Timeline, type Reveal } from "./timeline";
import { Title } from "./title";

/** A timeline of thousands of visits is not fetched at every event. */
const REFRESH_MS = 1_000;
const REFRESH_LONG_MS = 5_000;
const LONG = 500;

export function SessionPage({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(detailQuery(params["id"] ?? ""));
  const list = useList();
  const isGone = error instanceof Problem && (error.status === 404 || error.status === 422);
  // Also where it was there a moment ago: it was deleted elsewhere.
  if (data && !isGone) return <Session key={data.session.id} detail={data} refresh={refetch} />;
  if (isGone)
    return (
      <NarrowScreen title={t("lost.title")} lead={t("session.gone")}>
        <p>
          <Link className="button plain" to={list}>
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
  const whole = useMemo(() => lineOf(detail), [detail]);
  const line = useMemo(
    () => untilNow(whole, session.status === "recording" ? now : 0),
    [whole, session.status, now],
  );
  const hues = useMemo(() => huesOf(line.domains), [line.domains]);
  const reveal = useRef<Reveal>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [aimed, setAimed] = useState<Stretch | null>(null);
  const aim = useCallback((stretch: Stretch) => {
    setAimed({ ...stretch }); // the same one twice is asked for twice
  }, []);
  return (
    <article className="session">
      <p className="session-back">
        <Link to={list}>← {t("session.back")}</Link>
      </p>
      <Title session={progress ?? session} heading={heading} />
      <Facts detail={detail} line={line} progress={progress} now={now} />
      <Doings session={session} />
      <Troubles detail={detail} progress={progress} now={now} />
      {line.stretches.length > 0 ? (
        <>
          <Strip
            line={line}
            hues={hues}
            pointed={pointed}
            aimed={aimed}
            choose={(key) => {
              setPointed(key);
              reveal.current?.(key);
            }}
          />
          <Highlights marks={detail.highlights} />
          <Timeline
            detail={detail}
            line={line}
            hues={hues}
            revealRef={reveal}
            pointed={pointed}
            point={setPointed}
            aim={aim}
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

/** What has not ended goes on until now; the server knows it only up to the last event. */
function untilNow(line: Line, now: number): Line {
  const last = line.stretches.at(-1);
  // A browser that is silent for minutes sleeps: nobody knows whether its page is still being read.
  if (!last?.isOpen || now <= last.to || now - last.to > SILENT_MS) return line;
  const grown = { ...last, to: now };
  return {
    ...line,
    to: Math.max(line.to, now),
    longest: grown.kind === "focused" ? Math.max(line.longest, now - grown.from) : line.longest,
    stretches: [...line.stretches.slice(0, -1), grown],
    items: line.items.map((item) =>
      item.is === "stretch" && item.stretch === last ? { ...item, stretch: grown } : item,
    ),
  };
}
