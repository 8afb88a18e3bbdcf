/** Shows something in a dialog, with a button that closes it. */
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "./button";
import styles from "./dialog.module.css";
import layout from "./styles/layout.module.css";

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, close, children }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles["dialog"]}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <div className={layout["button-row"]}>
        <Button onClick={close}>{t("ui.close")}</Button>
      </div>
    </dialog>
  );
}
