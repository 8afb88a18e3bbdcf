/** Made-up sessions for a newcomer to look around in: loaded with one click, deleted with one click. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { ConfirmDialog } from "../ui/dialog";
import { FailureNotice } from "../ui/notice";
import { demoQuery, loadDemo, removeDemo } from "./api";
import layout from "../ui/styles/layout.module.css";

export function DemoSessions({ title }: { readonly title: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(demoQuery);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="demo-title">
      <h2 id="demo-title">{title}</h2>
      {data && data.there > 0 ? (
        <Loaded count={data.there} />
      ) : data && data.deleted > 0 ? (
        <p className={layout["soft"]}>{t("setup.demo.removed")}</p>
      ) : (
        <Offered />
      )}
    </section>
  );
}

function Offered() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const load = useAction(loadDemo, {
    done: () => {
      void queries.invalidateQueries({ queryKey: ["mine"] });
    },
  });
  return (
    <>
      <p className={layout["soft"]}>{t("setup.demo.hint")}</p>
      <FailureNotice failure={load.failure} />
      <div className={layout["button-row"]}>
        <Button
          isBusy={load.isBusy}
          onClick={() => {
            load.run();
          }}
        >
          {t("setup.demo.load")}
        </Button>
      </div>
    </>
  );
}

function Loaded({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const close = () => {
    setLeaving(false);
  };
  return (
    <>
      <p role="status">{t("setup.demo.loaded", { count })}</p>
      <div className={layout["button-row"]}>
        <Button
          look="danger"
          onClick={() => {
            setLeaving(true);
          }}
        >
          {t("setup.demo.remove")}
        </Button>
      </div>
      {isLeaving && <Remove close={close} />}
    </>
  );
}

function Remove({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(removeDemo, {
    done: () => {
      close();
      void queries.invalidateQueries({ queryKey: ["mine"] });
    },
  });
  return (
    <ConfirmDialog
      title={t("setup.demo.removeTitle")}
      text={t("setup.demo.removeText")}
      confirm={t("session.delete")}
      action={action}
      close={close}
    />
  );
}
