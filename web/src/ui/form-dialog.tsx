/** A form in a dialog: asks for something, sends it, and closes. Escape and "Cancel" close it without. */
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "./button";
import { Form, type Values, type Wrong } from "./forms/form";
import styles from "./dialog.module.css";

interface Props<O> {
  readonly title: string;
  readonly submit: string;
  readonly check?: (values: Values) => Wrong;
  readonly send: (values: Values) => Promise<O>;
  readonly done: (output: O) => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function FormDialog<O>({ title, submit, check, send, done, close, children }: Props<O>) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>("input, textarea")?.focus();
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
      <Form
        submit={submit}
        {...(check === undefined ? {} : { check })}
        send={send}
        done={done}
        beside={<Button onClick={close}>{t("ui.cancel")}</Button>}
      >
        {children}
      </Form>
    </dialog>
  );
}
