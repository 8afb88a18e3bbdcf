/** Sessions of somebody who never was, for a newcomer to look around in: loaded at a click, and deleted at one. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../ui/action";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { FailureNotice } from "../ui/notice";
import { demoQuery, loadDemo, removeDemo } from "./api";

export function Demo({ title }: { readonly title: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(demoQuery);
  return (
    <section className="panel stack demo" aria-labelledby="demo-title">
      <h2 id="demo-title">{title}</h2>
      {data && data.there > 0 ? (
        <Loaded count={data.there} />
      ) : data && data.deleted > 0 ? (
        <p className="soft">{t("list.demoGone")}</p>
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
      <p className="soft">{t("list.demoHint")}</p>
      <FailureNotice failure={load.failure} />
      <div className="form-end">
        <Button
          isBusy={load.isBusy}
          onClick={() => {
            load.run();
          }}
        >
          {t("list.demo")}
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
      <p role="status">{t("list.demoThere", { count })}</p>
      <div className="form-end">
        <Button
          look="danger"
          onClick={() => {
            setLeaving(true);
          }}
        >
          {t("list.demoRemove")}
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
      title={t("list.demoSure")}
      text={t("list.demoSureText")}
      confirm={t("session.delete")}
      action={action}
      close={close}
    />
  );
}
