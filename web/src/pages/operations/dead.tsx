import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../../ui/action";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/dialog";
import { FailureNotice } from "../../ui/notice";
import { Moment } from "../../ui/time";
import { discardJob, operationsKey, retryJob, type Job } from "./api";

export function DeadJobs({ jobs }: { readonly jobs: readonly Job[] }) {
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
    <section className="panel stack" aria-labelledby="dead-title">
      <h2 id="dead-title" ref={heading} tabIndex={-1}>
        {t("operations.dead.title")}
      </h2>
      <p className="soft">{jobs.length === 0 ? t("operations.dead.none") : t("operations.dead.text")}</p>
      <p className="form-success" role="status">
        {said?.text}
      </p>
      <ul className="rows">
        {jobs.map((job) => (
          <DeadJob key={job.id} job={job} over={over} discard={setLeaving} />
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

interface DeadJobProps {
  readonly job: Job;
  readonly over: (text: string) => void;
  readonly discard: (job: Job) => void;
}

function DeadJob({ job, over, discard }: DeadJobProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id, kind, domain, attempts, max_attempts, finished_at, last_error } = job;
  const retry = useAction(() => retryJob(id), {
    done: () => {
      over(t("operations.dead.retried", { id }));
      void queries.invalidateQueries({ queryKey: operationsKey });
    },
  });
  return (
    <li className="row">
      <div className="row-words">
        <p className="row-name">
          <code>{kind}</code>
          {domain && <bdi>{domain}</bdi>}
        </p>
        <p className="row-note">
          {`#${id} · ${t("operations.dead.attempts", { attempts, most: max_attempts })}`}
          {finished_at && (
            <>
              {" · "}
              <Moment at={finished_at} />
            </>
          )}
        </p>
        {last_error && <p className="row-note error">{last_error.slice(0, 600)}</p>}
        <FailureNotice failure={retry.failure} />
      </div>
      <Button
        isBusy={retry.isBusy}
        aria-label={t("operations.dead.retryName", { id, kind })}
        onClick={() => {
          retry.run();
        }}
      >
        {t("operations.dead.retry")}
      </Button>
      <Button
        look="danger"
        aria-label={t("operations.dead.discardName", { id, kind })}
        onClick={() => {
          discard(job);
        }}
      >
        {t("operations.dead.discard")}
      </Button>
    </li>
  );
}

function Discard({ job, close }: { readonly job: Job; readonly close: (said?: string) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(() => discardJob(job.id), {
    done: () => {
      close(t("operations.dead.discarded", { id: job.id }));
      void queries.invalidateQueries({ queryKey: operationsKey });
    },
  });
  return (
    <ConfirmDialog
      title={t("operations.dead.discardTitle", { id: job.id })}
      text={t("operations.dead.discardText", { kind: job.kind })}
      confirm={t("operations.dead.discard")}
      action={action}
      close={() => {
        close();
      }}
    />
  );
}
