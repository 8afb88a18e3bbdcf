/** What can be done with the selected pages. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { FormDialog } from "../ui/form-dialog";
import { Field, requiredError } from "../ui/forms/field";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import { changePages, libraryKey, type PagesUpdate } from "./api";
import { MoveDialog } from "./move-dialog";
import { useRemovePages } from "./remove";
import { tagsIn } from "./tags";
import styles from "./list.module.css";

interface Props {
  readonly ids: readonly string[];
  readonly isArchive: boolean;
  readonly clear: () => void;
}

export function SelectionBar({ ids, isArchive, clear }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [doing, setDoing] = useState<"move" | "tag" | null>(null);
  const close = () => {
    setDoing(null);
  };
  const changed = () => {
    void queries.invalidateQueries({ queryKey: libraryKey });
  };
  const change = useAction((update: PagesUpdate) => changePages(ids, update), {
    done: () => {
      close();
      clear();
      changed();
    },
  });
  const remove = useRemovePages();
  const open = (what: typeof doing) => () => {
    change.forget();
    setDoing(what);
  };
  const count = ids.length;
  return (
    <div className={styles["selection"]} role="group" aria-label={t("library.selection.label")}>
      <strong role="status">{t("library.selection.count", { count })}</strong>
      <Button onClick={open("move")}>{t("library.selection.move")}</Button>
      <Button onClick={open("tag")}>{t("library.selection.tag")}</Button>
      <Button
        isBusy={change.isBusy}
        onClick={() => {
          change.run({ archived: !isArchive });
        }}
      >
        {t(isArchive ? "library.selection.unarchive" : "library.selection.archive")}
      </Button>
      <Button
        look="danger"
        onClick={() => {
          remove(ids);
          clear();
        }}
      >
        {t("library.selection.delete")}
      </Button>
      <Button look="quiet" onClick={clear}>
        {t("library.selection.clear")}
      </Button>
      <FailureNotice failure={change.failure} />
      {doing === "move" && <MoveDialog what={{ kind: "pages", ids }} close={close} done={clear} />}
      {doing === "tag" && (
        <FormDialog
          title={t("library.tagging.title", { count })}
          submit={t("library.tagging.submit")}
          check={({ tags }) => ({ tags: requiredError(tags, t) })}
          send={({ tags = "" }) => changePages(ids, { add_tags: tagsIn(tags) })}
          done={() => {
            close();
            changed();
          }}
          close={close}
        >
          <Field
            name="tags"
            label={t("library.tagging.label")}
            hint={t("library.tagging.hint")}
            autoComplete="off"
          />
        </FormDialog>
      )}
    </div>
  );
}
