/** One watched page: its state, its runs, and everything that can be changed about it. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, navigate, type Params } from "../app/router";
import { Button, buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { ConfirmDialog } from "../ui/dialog";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Notice, Trouble, Waiting } from "../ui/notice";
import { useDates, useLocale } from "../ui/time/dates";
import { Moment } from "../ui/time/moment";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import {
  changeSchedule,
  isUnderWay,
  removeSchedule,
  isSiteVisited,
  runsQuery,
  scheduleQuery,
  shopsKey,
  type Schedule,
} from "./api";
import { Back, DetailFrame, Fact } from "./frame";
import { reasonOf } from "./reasons";
import { RunRow } from "./run-row";
import { useScheduleActions } from "./schedule-actions";
import { ScheduleForm } from "./schedule-form";
import { inWords } from "./schedule-times";
import styles from "./shops.module.css";

const SHOWN_RUNS = 5;

export default function ScheduleScreen({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const schedule = useQuery(scheduleQuery(params["id"] ?? ""));
  const back = { to: "/shops", label: t("shops.back.schedules") };
  if (schedule.data)
    return (
      <DetailFrame title={schedule.data.name} back={back}>
        <Content schedule={schedule.data} />
      </DetailFrame>
    );
  return (
    <div className={styles["screen"]}>
      <Back {...back} />
      {schedule.error ? <Trouble error={schedule.error} retry={schedule.refetch} /> : <Waiting />}
    </div>
  );
}

function Content({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles["address"]}>
        <a href={schedule.url} target="_blank" rel="noreferrer noopener">
          <bdi>{schedule.url}</bdi>
        </a>
      </p>
      <Actions schedule={schedule} />
      <State schedule={schedule} />
      <Facts schedule={schedule} />
      <Runs schedule={schedule} />
      <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="edit-title">
        <h2 id="edit-title">{t("shops.edit.title")}</h2>
        <Edit key={schedule.id} schedule={schedule} />
      </section>
    </>
  );
}

function Actions({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const { run, turn } = useScheduleActions(schedule);
  const remove = useAction(() => removeSchedule(schedule.id), {
    done: () => {
      navigate("/shops", { replace: true });
      queries.removeQueries({ queryKey: scheduleQuery(schedule.id).queryKey });
      void queries.invalidateQueries({ queryKey: shopsKey });
    },
  });
  const isActive = schedule.status === "ACTIVE";
  return (
    <div className={layout["button-row"]}>
      {isActive && (
        <Button
          look="main"
          isBusy={run.isBusy}
          isDisabled={isUnderWay(schedule.last_status)}
          onClick={() => {
            run.run();
          }}
        >
          {t("shops.schedule.run")}
        </Button>
      )}
      <Link className={buttonClass("plain")} to={`/shops/products?page=${schedule.id}`}>
        {t("shops.schedule.toProducts", { count: schedule.products })}
      </Link>
      <Button
        isBusy={turn.isBusy}
        onClick={() => {
          turn.run();
        }}
      >
        {t(isActive ? "shops.schedule.pause" : "shops.schedule.resume")}
      </Button>
      <Button
        look="danger"
        onClick={() => {
          setRemoving(true);
        }}
      >
        {t("shops.schedule.remove")}
      </Button>
      <FailureNotice failure={run.failure ?? turn.failure} />
      {isRemoving && (
        <ConfirmDialog
          title={t("shops.schedule.removeTitle")}
          text={t("shops.schedule.removeText", { name: schedule.name })}
          confirm={t("shops.schedule.remove")}
          action={remove}
          close={() => {
            setRemoving(false);
          }}
        />
      )}
    </div>
  );
}

/** What keeps it from running as it should. */
function State({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const dates = useDates();
  const { breaker, breaker_until: until, last_status, last_error } = schedule;
  return (
    <>
      {breaker !== "CLOSED" && (
        <Notice>
          <p>{t("shops.breaker.text", { domain: schedule.domain })}</p>
          {until !== null && <p>{t("shops.breaker.until", { time: dates.moment(until) })}</p>}
        </Notice>
      )}
      {last_status === "FAILED" && (
        <Notice tone="bad">
          <p>{t("shops.schedule.failed", { reason: reasonOf(last_error, t) })}</p>
          <p>
            <Link to="/shops/failed">{t("shops.schedule.toFailed")}</Link>
          </p>
        </Notice>
      )}
    </>
  );
}

/** Plug-ins that come with MindHit; others have only their names. */
const NAMED_SITES = ["jsonld", "shopify"] as const;

function Facts({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const named = NAMED_SITES.find((name) => name === schedule.site);
  return (
    <dl className={styles["facts"]}>
      <Fact name={t("shops.facts.kind")}>{t(`shops.targets.${schedule.target}`)}</Fact>
      {schedule.seller !== null && (
        <Fact name={t("shops.facts.seller")}>
          <bdi>{schedule.seller}</bdi>
        </Fact>
      )}
      <Fact name={t("shops.facts.when")}>
        {inWords(schedule.cron, locale, t)} ({schedule.timezone})
      </Fact>
      {schedule.status === "ACTIVE" && (
        <Fact name={t("shops.facts.next")}>
          <Moment at={schedule.next_run_at} />
        </Fact>
      )}
      {schedule.last_run_at !== null && (
        <Fact name={t("shops.facts.last")}>
          <Moment at={schedule.last_run_at} />
        </Fact>
      )}
      <Fact name={t("shops.facts.site")}>{named ? t(`shops.sites.${named}`) : schedule.site}</Fact>
    </dl>
  );
}

function Runs({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const runs = useInfiniteQuery(runsQuery(schedule.id, isSiteVisited(schedule.breaker)));
  const items = runs.data?.pages[0]?.items ?? [];
  if (runs.isPending) return <Waiting />;
  if (runs.error) return <Trouble error={runs.error} retry={runs.refetch} />;
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="runs-title">
      <h2 id="runs-title">{t("shops.runs.latest")}</h2>
      {items.length === 0 ? (
        <p className={layout["soft"]}>{t("shops.none.runsOf")}</p>
      ) : (
        <ul className={list["rows"]}>
          {items.slice(0, SHOWN_RUNS).map((run) => (
            <RunRow key={run.id} run={run} isNamed={false} />
          ))}
        </ul>
      )}
      {items.length > SHOWN_RUNS && (
        <p>
          <Link to={`/shops/runs?page=${schedule.id}`}>{t("shops.runs.all")}</Link>
        </p>
      )}
    </section>
  );
}

function Edit({ schedule }: { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ScheduleForm
      known={schedule}
      submit={t("ui.save")}
      success={t("ui.saved")}
      send={({ name, cron, timezone, alerts }) =>
        changeSchedule(schedule.id, { cron, timezone, alerts, ...(name === "" ? {} : { name }) })
      }
      done={(changed) => {
        queries.setQueryData(scheduleQuery(schedule.id).queryKey, changed);
        void queries.invalidateQueries({ queryKey: shopsKey });
      }}
    />
  );
}
