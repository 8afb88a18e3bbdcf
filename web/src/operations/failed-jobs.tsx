import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { FailureNotice } from "../ui/notice";
import { Moment } from "../ui/time/moment";
import { discardJob, operationsKey, retryFailedJobs, retryJob, type Job } from "./api";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import styles from "./operations.module.css";
import { classes } from "../ui/classes";

export function FailedJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState<{ readonly text: string } | null>(null);
  const [leaving, setLeaving] = useState<Job | null>(null);
  const over = (text: string) => {
    setSaid({ text });
  };
  useEffect(() => {
    // The row goes with its buttons, and the question would give the focus back to one of them.
    if (said) heading.current?.focus();
  }, [said]);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="dead-title">
      <h2 id="dead-title" ref={heading} tabIndex={-1}>
        {t("operations.failedJobs.title")}
      </h2>
      <p className={layout["soft"]}>
        {jobs.length === 0 ? t("operations.failedJobs.none") : t("operations.failedJobs.text")}
      </p>
      {jobs.length > 1 && <RetryAll over={over} />}
      <p className={layout["success"]} role="status">
        {said?.text}
      </p>
      <ul className={list["rows"]}>
        {jobs.map((job) => (
          <FailedJob key={job.id} job={job} over={over} discard={setLeaving} />
        ))}
      </ul>
      {leaving && (
        <Discard
          job={leaving}
          close={(text) => {
            setLeaving(null);
            if (text !== undefined) over(text);
          }}
        />
      )}
    </section>
  );
}

function RetryAll({ over }: { readonly over: (text: string) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const retry = useAction(retryFailedJobs, {
    done: ({ retried }) => {
      over(t("operations.failedJobs.retriedAll", { count: retried }));
      void queries.invalidateQueries({ queryKey: operationsKey });
    },
  });
  return (
    <div>
      <Button
        isBusy={retry.isBusy}
        onClick={() => {
          retry.run();
        }}
      >
        {t("operations.failedJobs.retryAll")}
      </Button>
      <FailureNotice failure={retry.failure} />
    </div>
  );
}

interface FailedJobProps {
  readonly job: Job;
  readonly over: (text: string) => void;
  readonly discard: (job: Job) => void;
}

function FailedJob({ job, over, discard }: FailedJobProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id, kind, domain, attempts, max_attempts, finished_at, last_error } = job;
  const retry = useAction(() => retryJob(id), {
    done: () => {
      over(t("operations.failedJobs.retried", { id }));
      void queries.invalidateQueries({ queryKey: operationsKey });
    },
  });
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <code>{kind}</code>
          {domain && <bdi>{domain}</bdi>}
        </p>
        <p className={list["row-note"]}>
          {`#${id} · ${t("operations.failedJobs.attempts", { attempts, most: max_attempts })}`}
          {finished_at && (
            <>
              {" · "}
              <Moment at={finished_at} />
            </>
          )}
        </p>
        {last_error && (
          <p className={classes(list["row-note"], styles["error"])}>{last_error.slice(0, 600)}</p>
        )}
        <FailureNotice failure={retry.failure} />
      </div>
      <Button
        isBusy={retry.isBusy}
        aria-label={t("operations.failedJobs.retryName", { id, kind })}
        onClick={() => {
          retry.run();
        }}
      >
        {t("operations.failedJobs.retry")}
      </Button>
      <Button
        look="danger"
        aria-label={t("operations.failedJobs.discardName", { id, kind })}
        onClick={() => {
          discard(job);
        }}
      >
        {t("operations.failedJobs.discard")}
      </Button>
    </li>
  );
}

function Discard({ job, close }: { readonly job: Job; readonly close: (said?: string) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(() => discardJob(job.id), {
    done: () => {
      close(t("operations.failedJobs.discarded", { id: job.id }));
      void queries.invalidateQueries({ queryKey: operationsKey });
    },
  });
  return (
    <ConfirmDialog
      title={t("operations.failedJobs.discardTitle", { id: job.id })}
      text={t("operations.failedJobs.discardText", { kind: job.kind })}
      confirm={t("operations.failedJobs.discard")}
      action={action}
      close={() => {
        close();
      }}
    />
  );
}
