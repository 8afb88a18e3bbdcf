/** One page of a run. Its tries are loaded when they are asked for. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { StatusPill } from "../ui/badge";
import { Trouble, Waiting } from "../ui/notice";
import { useDates } from "../ui/time/dates";
import { inWords } from "../ui/time/durations";
import list from "../ui/styles/list.module.css";
import { taskQuery, type Execution, type Task } from "./api";
import { reasonOf } from "./reasons";
import styles from "./shops.module.css";

const PILLS = {
  WAITING: "idle",
  PUBLISHED: "idle",
  RUNNING: "processing",
  RETRY: "incomplete",
  SUCCESS: "idle",
  FAILED: "failed",
} as const;

export function TaskRow({ task }: { readonly task: Task }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          {t(`shops.tasks.types.${task.type}`)}
          {/* Of most shops the key is the address, which stands below. */}
          {task.type !== "SEARCH" && !isAddress(task.item_key) && <bdi>{task.item_key}</bdi>}
        </p>
        <p className={list["row-note"]}>
          <bdi>{task.url}</bdi>
        </p>
        {task.last_error !== null && <p className={styles["wrong"]}>{reasonOf(task.last_error, t)}</p>}
        <details
          className={styles["tries"]}
          onToggle={({ currentTarget }) => {
            setOpen(currentTarget.open);
          }}
        >
          <summary>{t("shops.tasks.tries")}</summary>
          {isOpen && <Tries task={task} />}
        </details>
      </div>
      <StatusPill status={PILLS[task.status]}>{t(`shops.tasks.states.${task.status}`)}</StatusPill>
    </li>
  );
}

const isAddress = (key: string) => /^https?:/.test(key);

function Tries({ task }: { readonly task: Task }) {
  const { t } = useTranslation();
  const detail = useQuery(taskQuery(task.id));
  if (detail.error) return <Trouble error={detail.error} retry={detail.refetch} />;
  if (!detail.data) return <Waiting />;
  if (detail.data.executions.length === 0) return <p>{t("shops.tasks.noTries")}</p>;
  return (
    <ol>
      {detail.data.executions.map((each) => (
        <li key={each.id}>
          <Try execution={each} />
        </li>
      ))}
    </ol>
  );
}

function Try({ execution }: { readonly execution: Execution }) {
  const { t } = useTranslation();
  const dates = useDates();
  const { started_at, http_status, duration_ms, error, status } = execution;
  const facts = [
    dates.clock(started_at),
    t(`shops.tasks.executions.${status}`),
    http_status !== null && `HTTP ${http_status}`,
    duration_ms !== null && inWords(duration_ms, t),
    error !== null && reasonOf(error, t),
  ];
  return facts.filter(Boolean).join(" · ");
}
