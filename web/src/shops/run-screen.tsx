/** One run with its tasks: which pages were fetched, and what became of each. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, type Params } from "../app/router";
import { MoreButton } from "../ui/more-button";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { runQuery, tasksQuery, type Run, type TaskStatus } from "./api";
import { Back, DetailFrame, Empty, Fact } from "./frame";
import { reasonOf } from "./reasons";
import { countsOf, RunState } from "./run-row";
import { TaskRow } from "./task-row";
import styles from "./shops.module.css";

const SHOWN = ["all", "FAILED", "RETRY", "RUNNING", "SUCCESS"] as const;

export default function RunScreen({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const dates = useDates();
  const run = useQuery(runQuery(params["id"] ?? ""));
  const back = { to: "/shops/runs", label: t("shops.back.runs") };
  if (run.data)
    return (
      <DetailFrame title={t("shops.runs.of", { time: dates.moment(run.data.created_at) })} back={back}>
        <Content run={run.data} />
      </DetailFrame>
    );
  return (
    <div className={styles["screen"]}>
      <Back {...back} />
      {run.error ? <Trouble error={run.error} retry={run.refetch} /> : <Waiting />}
    </div>
  );
}

function Content({ run }: { readonly run: Run }) {
  const { t } = useTranslation();
  const [status, setStatus] = useState<TaskStatus | null>(null);
  const dates = useDates();
  return (
    <>
      <dl className={styles["facts"]}>
        <Fact name={t("shops.facts.page")}>
          <Link to={`/shops/schedules/${run.scheduler_id}`}>
            <bdi>{run.name}</bdi>
          </Link>
        </Fact>
        <Fact name={t("shops.facts.state")}>
          <RunState run={run} />
        </Fact>
        <Fact name={t("shops.facts.pages")}>{countsOf(run, t)}</Fact>
        {run.finished_at !== null && (
          <Fact name={t("shops.facts.finished")}>{dates.clock(run.finished_at)}</Fact>
        )}
      </dl>
      {run.status === "FAILED" && run.last_error !== null && (
        <Notice tone="bad">{reasonOf(run.last_error, t)}</Notice>
      )}
      <div className={styles["filters"]}>
        <label>
          <span className={layout["sr-only"]}>{t("shops.tasks.status")}</span>
          <select
            value={status ?? "all"}
            onChange={({ currentTarget: { value } }) => {
              const wanted = SHOWN.find((one) => one === value) ?? "all";
              setStatus(wanted === "all" ? null : wanted);
            }}
          >
            {SHOWN.map((one) => (
              <option key={one} value={one}>
                {one === "all" ? t("shops.tasks.all") : t(`shops.tasks.states.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Tasks run={run} status={status} />
    </>
  );
}

function Tasks({ run, status }: { readonly run: Run; readonly status: TaskStatus | null }) {
  const { t } = useTranslation();
  const found = useInfiniteQuery(tasksQuery(run, status));
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0) return <Empty text={t("shops.none.tasks")} />;
  return (
    <section className={layout["panel"]} aria-label={t("shops.tasks.title")}>
      <ul className={list["rows"]}>
        {items.map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}
