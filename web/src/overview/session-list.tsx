import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, type RefObject } from "react";
import { useTranslation } from "../i18n/translation";
import { useMe } from "../account/me";
import { detailQuery, listKey, listQuery, newestQuery, type Summary } from "../session/api";
import { dateOf } from "../ui/time/calendar";
import { grouped } from "./date-groups";
import { useKeys } from "../app/shortcuts";
import { Button } from "../ui/button";
import { Trouble, Waiting } from "../ui/notice";
import { useHidden } from "../ui/deletions";
import { Filters } from "./filters";
import { SessionRow, type Lines } from "./session-row";
import { useFilterParams } from "./filter-params";
import { useSelecting, type Selecting } from "./use-selecting";
import styles from "./overview.module.css";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";

const SelectionBar = lazy(() => import("./selection-bar"));

export function SessionList() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const { filter, isFiltered } = useFilterParams();
  const section = useRef<HTMLElement>(null);
  const list = useInfiniteQuery(listQuery(filter));
  useRefetchOnNews();
  const pages = list.data?.pages ?? [];
  const hidden = useHidden();
  const all = pages.flatMap((page) => page.sessions);
  const sessions = all.filter(({ id }) => !hidden.has(id));
  const selecting = useSelecting(sessions.map(({ id }) => id));
  useSteps(section, selecting);
  const thumbnails: Partial<Record<string, Lines>> = {};
  // Without any map there are none in the answer.
  for (const page of pages) Object.assign(thumbnails, page.thumbnails);
  const known = pages[0]?.total ?? undefined;
  const total = known && known - (all.length - sessions.length);
  const today = dateOf(new Date(), settings.timezone);
  return (
    <section
      ref={section}
      className={styles["sessions"]}
      aria-labelledby="sessions-title"
      aria-busy={list.isPlaceholderData}
      onKeyDown={({ key }) => {
        if (key === "Escape") selecting.stop();
      }}
    >
      <div className={styles["sessions-head"]}>
        <h2 id="sessions-title">{t("overview.list.title")}</h2>
        <p className={styles["found"]} role="status">
          {total !== undefined && t("overview.list.found", { count: total })}
        </p>
        {sessions.length > 0 && (
          <Button
            look="quiet"
            aria-pressed={selecting.isOn}
            onClick={selecting.isOn ? selecting.stop : selecting.start}
          >
            {t(selecting.isOn ? "overview.select.stop" : "overview.select.start")}
          </Button>
        )}
      </div>
      <Filters />
      {selecting.isOn && (
        <Suspense>
          <SelectionBar selecting={selecting} />
        </Suspense>
      )}
      {list.isPending && <Waiting />}
      {list.error && <Trouble error={list.error} retry={list.refetch} />}
      {total === 0 && isFiltered && (
        <div className={classes(layout["panel"], styles["no-results"])}>
          <h3>{t("overview.list.noneFound")}</h3>
          <p className={layout["soft"]}>{t("overview.list.noneFoundText")}</p>
        </div>
      )}
      {grouped(sessions, today, settings.timezone).map(({ group, sessions: inside }) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h3 className={styles["group"]} id={`group-${group}`}>
            {t(`overview.list.groups.${group}`)}
          </h3>
          <ul className={styles["session-rows"]}>
            {inside.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                thumbnail={thumbnails[session.id]}
                withDay={group !== "today" && group !== "yesterday"}
                selecting={selecting.isOn ? selecting : null}
              />
            ))}
          </ul>
        </section>
      ))}
      <More
        hasMore={list.hasNextPage}
        isBusy={list.isFetchingNextPage}
        more={() => {
          void list.fetchNextPage();
        }}
        isLong={sessions.length > 20}
      />
    </section>
  );
}

/** Refetches the list when the newest few sessions have changed. */
function useRefetchOnNews(): void {
  const queries = useQueryClient();
  const { data } = useQuery(newestQuery);
  const signature = data?.sessions
    .map(
      ({ id, status, title, named_after }: Summary) => `${id} ${status} ${title ?? named_after?.title ?? ""}`,
    )
    .join("\n");
  const before = useRef(signature);
  useEffect(() => {
    if (before.current !== undefined && signature !== undefined && before.current !== signature) {
      void queries.invalidateQueries({ queryKey: listKey });
      void queries.invalidateQueries({ queryKey: ["mine", "days"] });
    }
    before.current = signature;
  }, [signature, queries]);
  useEffect(
    () => () => {
      // A session opened from here is fetched again when it is opened again.
      void queries.invalidateQueries({ queryKey: detailQuery("").queryKey.slice(0, 3), refetchType: "none" });
    },
    [queries],
  );
}

/** j and k go from session to session, x selects the one that they have come to. */
function useSteps(list: RefObject<HTMLElement | null>, selecting: Selecting): void {
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("li a") ?? [])];
    const here = document.activeElement?.closest("[data-session]")?.querySelector("a");
    const at = here ? links.indexOf(here) : -1;
    links[Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
  };
  useKeys({
    j: () => {
      step(1);
    },
    k: () => {
      step(-1);
    },
    x: () => {
      const row = document.activeElement?.closest<HTMLElement>("[data-session]");
      if (row?.dataset["session"] !== undefined) selecting.toggle(row.dataset["session"]);
    },
  });
}

interface MoreProps {
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  readonly isLong: boolean;
  readonly more: () => void;
}

/** Loads the next page before the end is reached; the button is for fast scrollers and for those who don't scroll. */
function More({ hasMore, isBusy, isLong, more }: MoreProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(more);
  useEffect(() => {
    latest.current = more;
  });
  useEffect(() => {
    const element = place.current;
    if (!element || !hasMore || isBusy || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: "800px" },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [hasMore, isBusy]);
  return (
    <div ref={place} className={styles["more"]}>
      {hasMore ? (
        <Button isBusy={isBusy} onClick={more}>
          {isBusy ? t("overview.list.loading") : t("overview.list.more")}
        </Button>
      ) : (
        isLong && <p className={layout["soft"]}>{t("overview.list.end")}</p>
      )}
    </div>
  );
}
