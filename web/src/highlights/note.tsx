/** The note on a highlight, and writing it in place; its button stands at the end of the line below. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { FieldFrame } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { Icon } from "../ui/icons";
import { writeNote } from "./api";
import { removeLater, useHidden } from "../ui/deletions";
import styles from "./note.module.css";

interface Props {
  readonly id: string;
  readonly note: string | null;
}

export function Note({ id, note: stored, children }: Props & { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const note = useHidden().has(noteKey(id)) ? null : stored;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      {isOpen ? (
        <Editor id={id} note={note} close={close} />
      ) : (
        note !== null && (
          <p className={styles["text"]} dir="auto">
            {note}
          </p>
        )
      )}
      <div className={styles["line"]}>
        {children}
        {!isOpen && (
          <Button
            ref={button}
            look="quiet"
            onClick={() => {
              setOpen(true);
            }}
          >
            <Icon name="pencil" />
            {t(note === null ? "highlights.note.add" : "highlights.note.edit")}
          </Button>
        )}
      </div>
    </>
  );
}

const noteKey = (id: string) => `note ${id}`;

function Editor({ id, note, close }: Props & { readonly close: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const remove = () => {
    removeLater({
      text: t("highlights.note.deleted"),
      hides: [noteKey(id)],
      send: () => writeNote(id, "", queries),
      settle: () => Promise.resolve(),
    });
  };
  return (
    <div
      className={styles["editor"]}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) field.current?.form?.requestSubmit();
      }}
    >
      <Form
        submit={t("ui.save")}
        send={async ({ note: typed = "" }) => {
          if (typed.trim() === "" && note !== null) remove();
          else await writeNote(id, typed, queries);
        }}
        done={close}
        beside={<Button onClick={close}>{t("ui.cancel")}</Button>}
      >
        <FieldFrame name="note" label={t("highlights.note.label")}>
          {(ties) => <textarea {...ties} ref={field} rows={3} maxLength={10_000} defaultValue={note ?? ""} />}
        </FieldFrame>
      </Form>
    </div>
  );
}
