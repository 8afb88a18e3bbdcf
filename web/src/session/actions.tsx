import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { navigate } from "../app/router";
import { detailQuery, getFile, remove, type Format, type Summary } from "./api";
import { ReportDialog } from "./report";
import { ReprocessDialog } from "./reprocess";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { saveFile } from "../ui/download";
import { FailureNotice } from "../ui/notice";
import styles from "./session.module.css";
import layout from "../ui/styles/layout.module.css";

const FORMATS = ["md", "json", "csv"] as const satisfies readonly Format[];

/** Taken along as a file, read as a report, processed again, or deleted. */
export function Actions({ session, list }: { readonly session: Summary; readonly list: string }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const [open, setOpen] = useState<"report" | "reprocess" | null>(null);
  const close = () => {
    setOpen(null);
  };
  const [saved, setSaved] = useState<string | null>(null);
  const take = useAction((format: Format) => getFile(session.id, format), {
    done: ({ name, body }) => {
      saveFile(body, name);
      setSaved(name);
    },
  });
  return (
    <section className={styles["actions"]} aria-label={t("session.export")}>
      <span className={styles["actions-name"]}>{t("session.export")}</span>
      {FORMATS.map((format) => (
        <Button
          key={format}
          isBusy={take.isBusy}
          onClick={() => {
            take.run(format);
          }}
        >
          {t(`session.formats.${format}`)}
        </Button>
      ))}
      <Button
        onClick={() => {
          setOpen("report");
        }}
      >
        {t("session.report.open")}
      </Button>
      {session.status === "completed" && (
        <Button
          onClick={() => {
            setOpen("reprocess");
          }}
        >
          {t("session.reprocess.open")}
        </Button>
      )}
      <p className={layout["success"]} role="status">
        {take.isBusy ? t("session.exporting") : saved && t("session.exported", { name: saved })}
      </p>
      <Button
        look="danger"
        onClick={() => {
          setLeaving(true);
        }}
      >
        {t("session.delete")}
      </Button>
      <FailureNotice failure={take.failure} />
      {open === "report" && <ReportDialog id={session.id} close={close} />}
      {open === "reprocess" && <ReprocessDialog id={session.id} close={close} />}
      {isLeaving && (
        <Delete
          session={session}
          list={list}
          close={() => {
            setLeaving(false);
          }}
        />
      )}
    </section>
  );
}

interface DeleteProps {
  readonly session: Summary;
  /** Where to go afterwards: the list as it was left, with its search. */
  readonly list: string;
  readonly close: () => void;
}

function Delete({ session, list, close }: DeleteProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(() => remove(session.id), {
    done: () => {
      navigate(list, { replace: true, flash: "deleted" });
      queries.removeQueries({ queryKey: detailQuery(session.id).queryKey });
      void queries.invalidateQueries({ queryKey: ["mine"] });
    },
  });
  return (
    <ConfirmDialog
      title={t("session.deleteTitle")}
      text={t("session.deleteText")}
      confirm={t("session.delete")}
      action={action}
      close={close}
    />
  );
}
