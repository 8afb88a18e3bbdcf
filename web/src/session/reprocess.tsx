/** Makes a session's summaries or its map again. Edits of the map stay. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { SessionCost } from "../billing/cost";
import { detailQuery, listKey, reprocess, type Detail, type Again } from "./api";
import { FormDialog } from "../ui/form-dialog";
import { Check } from "../ui/forms/field";
import layout from "../ui/styles/layout.module.css";

const PARTS = ["map", "summaries"] as const satisfies readonly Again[];

export function ReprocessDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [again, setAgain] = useState<readonly Again[]>(["map"]);
  return (
    <FormDialog
      title={t("session.reprocess.title")}
      submit={t("session.reprocess.submit")}
      send={(values) =>
        reprocess(
          id,
          PARTS.filter((part) => values[part] !== undefined),
        )
      }
      done={({ status }) => {
        // At once, so that the progress is listened to.
        queries.setQueryData(detailQuery(id).queryKey, (detail: Detail | undefined) =>
          detail ? { ...detail, session: { ...detail.session, status } } : detail,
        );
        void queries.invalidateQueries({ queryKey: listKey });
        close();
      }}
      close={close}
    >
      <p className={layout["soft"]}>{t("session.reprocess.text")}</p>
      {again.length > 0 && <SessionCost session={id} again={again} />}
      {PARTS.map((part) => (
        <Check
          key={part}
          name={part}
          label={t(`session.reprocess.parts.${part}`)}
          hint={t(`session.reprocess.hints.${part}`)}
          checked={again.includes(part)}
          onChange={({ currentTarget }) => {
            const { checked } = currentTarget;
            setAgain((before) => PARTS.filter((each) => (each === part ? checked : before.includes(each))));
          }}
        />
      ))}
    </FormDialog>
  );
}
