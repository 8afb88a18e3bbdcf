/** “Remind me” of any page: when it comes first; from then on it comes by itself. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { Select } from "../ui/forms/field";
import { FormDialog } from "../ui/form-dialog";
import { Notice } from "../ui/notice";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import { remind, reminderOfQuery, remindersKey, WISHES, type Wish } from "./api";
import styles from "./reminders.module.css";

const KNOWN = {
  active: "reminders.remind.known",
  paused: "reminders.remind.knownPaused",
  failing: "reminders.remind.knownFailing",
} as const;

interface Page {
  readonly url: string;
  readonly title: string | null;
}

export function RemindDialog({ page, close }: { readonly page: Page; readonly close: () => void }) {
  const { t } = useTranslation();
  const dates = useDates();
  const queries = useQueryClient();
  const { data: known } = useQuery(reminderOfQuery(page.url));
  const [comes, setComes] = useState<string | null>(null);
  if (comes !== null)
    return <Done text={t("reminders.remind.done", { time: dates.near(comes) })} close={close} />;
  return (
    <FormDialog
      title={t("reminders.remind.title")}
      submit={t("reminders.remind.submit")}
      send={({ when = "" }) => remind(page.url, page.title, isWish(when) ? when : null)}
      done={({ next_alarm_time }) => {
        setComes(next_alarm_time);
        void queries.invalidateQueries({ queryKey: remindersKey });
      }}
      close={close}
    >
      <p className={styles["page-name"]}>
        <bdi>{page.title ?? page.url}</bdi>
      </p>
      {known && <Notice>{t(KNOWN[known.status], { time: dates.near(known.next_alarm_time) })}</Notice>}
      <Select
        name="when"
        label={t(known ? "reminders.remind.whenNext" : "reminders.remind.when")}
        defaultValue="tomorrow"
      >
        {WISHES.map((wish) => (
          <option key={wish} value={wish}>
            {t(`reminders.when.${wish}`)}
          </option>
        ))}
        <option value="now">{t("reminders.when.now")}</option>
      </Select>
      <p className={layout["soft"]}>{t("reminders.remind.text")}</p>
    </FormDialog>
  );
}

/** Said in a dialog too: the row that was clicked may have scrolled away. */
function Done({ text, close }: { readonly text: string; readonly close: () => void }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={styles["done"]} aria-label={t("reminders.remind.title")} onCancel={close}>
      <p role="status">{text}</p>
      <Button look="main" onClick={close}>
        {t("reminders.remind.close")}
      </Button>
    </dialog>
  );
}

/** A button that opens the dialog, for screens about one page. */
export function RemindButton({ page }: { readonly page: Page }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        {t("reminders.remind.label")}
      </Button>
      {isOpen && (
        <RemindDialog
          page={page}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function isWish(text: string): text is Wish {
  return (WISHES as readonly string[]).includes(text);
}
