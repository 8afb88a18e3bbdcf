/** Asks before something that cannot be taken back. The browser's own dialog keeps the focus in, and gives it back. */
import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Action } from "./action";
import { Button } from "./button";
import { FailureNotice } from "./notice";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly action: Action<void>;
  readonly close: () => void;
}

export function ConfirmDialog({ title, text, confirm, action, close }: ConfirmProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    cancel.current?.focus(); // a stray Enter must do no harm
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`}>{text}</p>
      <FailureNotice failure={action.failure} />
      <div className="form-end">
        <Button
          look="danger"
          isBusy={action.isBusy}
          onClick={() => {
            action.run();
          }}
        >
          {confirm}
        </Button>
        <Button ref={cancel} onClick={close}>
          {t("common.cancel")}
        </Button>
      </div>
    </dialog>
  );
}
