/** Asks before something that cannot be taken back. The browser's own dialog keeps the focus in, and gives it back. */
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import type { Action } from "./hooks/use-action";
import { Button } from "./button";
import { FailureNotice } from "./notice";
import styles from "./dialog.module.css";
import layout from "./styles/layout.module.css";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly action: Action<void>;
  readonly close: () => void;
  /** What there is to choose. */
  readonly children?: ReactNode;
}

export function ConfirmDialog({ title, text, confirm, action, close, children }: ConfirmProps) {
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
      className={styles["dialog"]}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      <p id={`${id}-text`}>{text}</p>
      <FailureNotice failure={action.failure} />
      <div className={layout["button-row"]}>
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
          {t("ui.cancel")}
        </Button>
      </div>
    </dialog>
  );
}
