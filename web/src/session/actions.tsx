import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { navigate } from "../app/router";
import { detailQuery, getFile, remove, type Format, type Summary } from "./api";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { saveFile } from "../ui/download";
import { FailureNotice } from "../ui/notice";
import styles from "./session.module.css";
import layout from "../ui/styles/layout.module.css";

const FORMATS = ["md", "json", "csv"] as const satisfies readonly Format[];

/** Taken along as a file, or deleted. */
export function Actions({ session }: { readonly session: Summary }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
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
      {isLeaving && (
        <Delete
          session={session}
          close={() => {
            setLeaving(false);
          }}
        />
      )}
    </section>
  );
}

function Delete({ session, close }: { readonly session: Summary; readonly close: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(() => remove(session.id), {
    done: () => {
      navigate("/", { replace: true, flash: "deleted" });
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
