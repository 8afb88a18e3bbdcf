/** What was recorded: where the time went, and every session, newest first. */
import { usePrefetchInfiniteQuery, usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { devicesQuery, useMe } from "../account/me";
import { useFlash } from "../app/router";
import { listQuery, newestQuery } from "../session/api";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { useArrival } from "../app/screen";
import { ConnectBanner } from "../setup/connect-banner";
import { FirstSteps } from "../setup/first-steps";
import { SessionList } from "./session-list";
import { shownDaysQuery, TimeSpent } from "./time-spent/time-spent";
import { useFilterParams } from "./filter-params";
import styles from "./overview.module.css";

/** FilterParams for at once, and not only when it is known that there is something to show. */
function usePrefetched(): void {
  const { filter, params } = useFilterParams();
  const { settings } = useMe();
  usePrefetchQuery(newestQuery);
  usePrefetchQuery(devicesQuery); // before anything is drawn: the banner would push it down
  usePrefetchInfiniteQuery(listQuery(filter));
  usePrefetchQuery(shownDaysQuery(params, settings.timezone));
}

export function OverviewScreen() {
  const { t } = useTranslation();
  const flash = useFlash();
  usePrefetched();
  const newest = useQuery(newestQuery);
  const heading = useArrival(t("app.nav.overview"));
  const hasSome = (newest.data?.total ?? 0) > 0;
  return (
    <div className={styles["overview"]}>
      <h1 ref={heading} tabIndex={-1}>
        {newest.data && !hasSome ? t("setup.title") : t("app.nav.overview")}
      </h1>
      {(flash === "welcome" || flash === "deleted") && <Notice tone="good">{t(`app.flash.${flash}`)}</Notice>}
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
