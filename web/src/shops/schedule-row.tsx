/** One watched page: when it runs, how the last run went, and what can be done with it. */
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { FailureNotice } from "../ui/notice";
import { SiteIcon } from "../ui/site-icon";
import { useDates, useLocale } from "../ui/time/dates";
import list from "../ui/styles/list.module.css";
import { isUnderWay, type Schedule } from "./api";
import { useScheduleActions } from "./schedule-actions";
import { inWords } from "./schedule-times";
import styles from "./shops.module.css";

export function ScheduleRow({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { name, domain } = schedule;
  const { run, turn } = useScheduleActions(schedule);
  const isActive = schedule.status === "ACTIVE";
  return (
    <li className={list["row"]}>
      <SiteIcon domain={domain} />
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <Link className={styles["link"]} to={`/shops/schedules/${schedule.id}`}>
            <bdi>{name}</bdi>
          </Link>
          {!isActive && <Badge>{t("shops.schedule.paused")}</Badge>}
          <BreakerBadge schedule={schedule} />
        </p>
        <p className={list["row-note"]}>
          <bdi>{domain}</bdi> · {inWords(schedule.cron, locale, t)} ({schedule.timezone}) ·{" "}
          {t("shops.products.count", { count: schedule.products })}
        </p>
        <LastRun schedule={schedule} />
        <FailureNotice failure={run.failure ?? turn.failure} />
      </div>
      <div className={styles["actions"]} role="group" aria-label={t("shops.schedule.actions", { name })}>
        {isActive && (
          <Button
            isBusy={run.isBusy}
            isDisabled={isUnderWay(schedule.last_status)}
            aria-label={t("shops.schedule.runOf", { name })}
            onClick={() => {
              run.run();
            }}
          >
            {t("shops.schedule.run")}
          </Button>
        )}
        <Button
          look="quiet"
          isBusy={turn.isBusy}
          onClick={() => {
            turn.run();
          }}
        >
          {t(isActive ? "shops.schedule.pause" : "shops.schedule.resume")}
        </Button>
      </div>
    </li>
  );
}

/** A site that turned us away is left alone for a while; all its pages wait. */
export function BreakerBadge({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  if (schedule.breaker === "CLOSED") return null;
  return (
    <Badge tone="warn">
      {t(schedule.breaker === "OPEN" ? "shops.breaker.open" : "shops.breaker.halfOpen")}
    </Badge>
  );
}

function LastRun({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const dates = useDates();
  const { last_run_at, last_status, status, breaker, breaker_until: until } = schedule;
  const facts = [
    isUnderWay(last_status)
      ? t("shops.schedule.running")
      : last_run_at === null
        ? t("shops.schedule.never")
        : t(last_status === "FAILED" ? "shops.schedule.lastFailed" : "shops.schedule.last", {
            time: dates.moment(last_run_at),
          }),
    status === "ACTIVE" && t("shops.schedule.next", { time: dates.moment(schedule.next_run_at) }),
    breaker !== "CLOSED" && until !== null && t("shops.breaker.until", { time: dates.moment(until) }),
  ];
  return <p className={list["row-note"]}>{facts.filter(Boolean).join(" · ")}</p>;
}
