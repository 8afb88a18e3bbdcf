/** What was recorded: where the time went, and every session, newest first. */
import { usePrefetchInfiniteQuery, usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { devicesQuery, useMe } from "../account/me";
import { useFlash } from "../app/router";
import { listQuery, newestQuery } from "../session/api";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { useArrival } from "../app/screen";
import { ConnectBanner } from "../setup/connect-banner";
import { FirstSteps } from "../setup/first-steps";
import { SessionList } from "./session-list";
import { shownDaysQuery, shownYearQuery, TimeSpent } from "./time-spent/time-spent";
import { useFilterParams } from "./filter-params";
import styles from "./overview.module.css";

/** Requested at once, and not only when it is known that there is something to show. */
function usePrefetched(): void {
  const { filter } = useFilterParams();
  usePrefetchQuery(newestQuery);
  usePrefetchQuery(devicesQuery); // before anything is drawn: the banner would push it down
  usePrefetchInfiniteQuery(listQuery(filter));
}

function PrefetchDays({ view, at }: { readonly view: "week" | "month"; readonly at: string }) {
  usePrefetchQuery(shownDaysQuery({ view, at }, useMe().settings.timezone));
  return null;
}

function PrefetchYear({ at }: { readonly at: string }) {
  usePrefetchQuery(shownYearQuery(at, useMe().settings.timezone));
  return null;
}

export function OverviewScreen() {
  const { t } = useTranslation();
  const flash = useFlash();
  usePrefetched();
  const { view, at } = useFilterParams().params;
  const newest = useQuery(newestQuery);
  const heading = useArrival(t("app.nav.overview"));
  const hasSome = (newest.data?.total ?? 0) > 0;
  return (
    <div className={styles["overview"]}>
      {view === "year" ? <PrefetchYear at={at} /> : <PrefetchDays view={view} at={at} />}
      <h1 ref={heading} tabIndex={-1}>
        {newest.data && !hasSome ? t("setup.title") : t("app.nav.overview")}
      </h1>
      {flash === "welcome" && <Notice tone="good">{t("app.flash.welcome")}</Notice>}
      {newest.data ? (
        hasSome ? (
          <>
            <ConnectBanner />
            <TimeSpent />
            <SessionList />
          </>
        ) : (
          <FirstSteps />
        )
      ) : newest.error ? (
        <Trouble error={newest.error} retry={newest.refetch} />
      ) : (
        <Waiting />
      )}
    </div>
  );
}
