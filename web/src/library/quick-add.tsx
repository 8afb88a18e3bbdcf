import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { libraryKey, savePage } from "./api";
import styles from "./library.module.css";

/** A page that was there before the request was made was saved earlier. Clocks differ by less than this. */
const JUST_NOW_MS = 60_000;

/** Paste an address, Enter: saved in the open folder. */
export function QuickAdd({ folderId }: { readonly folderId: string | null }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const save = useAction((address: string) => savePage(address, folderId), {
    done: ({ created_at, updated_at }) => {
      const isNew = created_at === updated_at && Date.now() - Date.parse(created_at) < JUST_NOW_MS;
      setSaid(t(isNew ? "library.add.saved" : "library.add.there"));
      if (field.current) field.current.value = "";
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  return (
    <form
      className={styles["add"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const address = field.current?.value.trim() ?? "";
        setSaid("");
        if (address === "") field.current?.focus();
        else save.run(address);
      }}
    >
      <input
        ref={field}
        aria-label={t("library.add.label")}
        placeholder={t("library.add.hint")}
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" look="main" isBusy={save.isBusy}>
        {t("library.add.submit")}
      </Button>
      <p className={classes(layout["success"], styles["add-said"])} role="status">
        {said}
      </p>
      <FailureNotice failure={save.failure} />
    </form>
  );
}
