import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { navigate } from "../app/router";
import { getFile, type Format, type Summary } from "./api";
import { ReportDialog } from "./report";
import { useRemoveSessions } from "./remove";
import { ReprocessDialog } from "./reprocess";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { saveFile } from "../ui/download";
import { FailureNotice } from "../ui/notice";
import styles from "./session.module.css";
import layout from "../ui/styles/layout.module.css";

const FORMATS = ["md", "json", "csv"] as const satisfies readonly Format[];

/** Taken along as a file, read as a report, processed again, or deleted. */
export function Actions({ session, list }: { readonly session: Summary; readonly list: string }) {
  const { t } = useTranslation();
  const remove = useRemoveSessions();
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
          remove([session.id]);
          navigate(list, { replace: true });
        }}
      >
        {t("session.delete")}
      </Button>
      <FailureNotice failure={take.failure} />
      {open === "report" && <ReportDialog id={session.id} close={close} />}
      {open === "reprocess" && <ReprocessDialog id={session.id} close={close} />}
    </section>
  );
}
