/** One import: how far it is, live while it runs; afterwards what was added and what failed, with lines. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { watchStream } from "../api/stream";
import { Link } from "../app/router";
import { StatusPill } from "../ui/badge";
import { Button } from "../ui/button";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import table from "../ui/styles/table.module.css";
import { Moment } from "../ui/time/moment";
import { cancelImport, failuresQuery, isRunning, libraryKey, type Import } from "./api";
import { folderPath } from "./folder-tree";
import { entryReason } from "./reasons";
import styles from "./import.module.css";

const PILLS = {
  queued: "processing",
  running: "processing",
  succeeded: "idle",
  failed: "failed",
  canceled: "incomplete",
} as const;
const MOST_FAILURES = 1_000;

export function ImportRow({ job: given }: { readonly job: Import }) {
  const { t, language } = useTranslation();
  const job = useLive(given);
  const { status, source_type: source, processed_items: processed, total_items: total } = job;
  const name = job.file_name ?? t("library.import.unnamed");
  const number = new Intl.NumberFormat(language);
  const isOn = isRunning(job);
  return (
    <li className={styles["import"]}>
      <div className={styles["import-head"]}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <StatusPill status={PILLS[status]}>{t(`library.import.status.${status}`)}</StatusPill>
      </div>
      <p className={styles["import-note"]}>
        <Moment at={job.created_at} />
        {source !== null && isKnown(source) && <> · {t(`library.import.sources.${source}`)}</>}
      </p>
      {isOn && (
        <progress
          aria-label={t("library.import.progress", { name })}
          value={total > 0 ? processed : undefined}
          max={total > 0 ? total : undefined}
        />
      )}
      <p className={layout["figures"]}>
        {t("library.import.of", { processed: number.format(processed), total: number.format(total) })}
        {" · "}
        {t("library.import.added", { count: job.added_items })}
        {job.failed_items > 0 && <> · {t("library.import.failed", { count: job.failed_items })}</>}
      </p>
      {status === "failed" && <p className={layout["soft"]}>{t("library.import.failedText")}</p>}
      {isOn ? (
        <Cancel id={job.id} />
      ) : (
        <p>
          <Link to={job.folder_id === null ? "/library" : folderPath(job.folder_id)}>
            {t("library.import.openLibrary")}
          </Link>
        </p>
      )}
      {job.failed_items > 0 && <Failures key={String(isOn)} job={job} />}
    </li>
  );
}

/** The newest word on an import that runs. When it ends, everything of the library may have changed. */
function useLive(given: Import): Import {
  const queries = useQueryClient();
  const [heard, setHeard] = useState<Import | null>(null);
  const { id } = given;
  const isOn = isRunning(given);
  useEffect(() => {
    if (!isOn) return;
    return watchStream<Import>(`/v1/imports/${id}/progress`, setHeard, () => {
      void queries.invalidateQueries({ queryKey: libraryKey });
    });
  }, [id, isOn, queries]);
  return heard !== null && isOn ? heard : given;
}

function Cancel({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const cancel = useAction(() => cancelImport(id), {
    done: () => {
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  return (
    <>
      <FailureNotice failure={cancel.failure} />
      <p>
        <Button
          isBusy={cancel.isBusy}
          onClick={() => {
            cancel.run();
          }}
        >
          {t("library.import.cancel")}
        </Button>
      </p>
    </>
  );
}

function Failures({ job }: { readonly job: Import }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>{t("library.import.showFailures", { count: job.failed_items })}</summary>
      {isOpen && <FailureTable job={job} />}
    </details>
  );
}

function FailureTable({ job }: { readonly job: Import }) {
  const { t } = useTranslation();
  const failures = useQuery(failuresQuery(job.id));
  if (failures.error) return <Trouble error={failures.error} retry={failures.refetch} />;
  if (failures.data === undefined) return <Waiting />;
  return (
    <>
      {job.failed_items > MOST_FAILURES && (
        <p className={layout["soft"]}>{t("library.import.firstFailures")}</p>
      )}
      <div className={table["scroller"]} tabIndex={0} role="region" aria-label={t("library.import.entry")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("library.import.line")}</th>
              <th scope="col">{t("library.import.reason")}</th>
              <th scope="col">{t("library.import.entry")}</th>
            </tr>
          </thead>
          <tbody>
            {failures.data.map(({ line, reason, excerpt }, index) => (
              <tr key={index}>
                <td>{line}</td>
                <td>{entryReason(reason, t)}</td>
                <td>
                  <bdi>{excerpt}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const SOURCES = [
  "chrome_html",
  "firefox_html",
  "edge_html",
  "safari_html",
  "netscape_html",
  "karakeep_json",
  "linkwarden_json",
  "mindhit_json",
  "mindhit_csv",
] as const;

function isKnown(source: string): source is (typeof SOURCES)[number] {
  return (SOURCES as readonly string[]).includes(source);
}
