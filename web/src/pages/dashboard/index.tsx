/** What was recorded: where the time went, and every session, newest first. */
import "../../sessions/sessions.css";
import "./dashboard.css";
import { usePrefetchInfiniteQuery, usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { useFlash } from "../../router";
import { listQuery, newestQuery } from "../../sessions/api";
import { Notice, Trouble, Waiting } from "../../ui/notice";
import { useArrival } from "../../ui/screen";
import { FirstSteps } from "../first-steps/steps";
import { SessionList } from "./list";
import { shownDaysQuery, TimePanel } from "./time";
import { useAsked } from "./wanted";

/** Asked for at once, and not only when it is known that there is something to show. */
function useAhead(): void {
  const { wanted, asked } = useAsked();
  const { settings } = useMe();
  usePrefetchQuery(newestQuery);
  usePrefetchInfiniteQuery(listQuery(wanted));
  usePrefetchQuery(shownDaysQuery(asked, settings.timezone));
}

export function DashboardPage() {
  const { t } = useTranslation();
  const flash = useFlash();
  useAhead();
  const newest = useQuery(newestQuery);
  const heading = useArrival(t("nav.overview"));
  const hasSome = (newest.data?.pagination.total ?? 0) > 0;
  return (
    <div className="dashboard">
      <h1 ref={heading} tabIndex={-1}>
        {newest.data && !hasSome ? t("firstSteps.title") : t("nav.overview")}
      </h1>
      {flash === "welcome" && <Notice tone="good">{t("overview.welcome")}</Notice>}
      {flash === "deleted" && <Notice tone="good">{t("flash.deleted")}</Notice>}
      {newest.data ? (
        hasSome ? (
          <>
            <TimePanel />
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
