/** Fields with their label above, a hint and what is wrong below, all tied together for screen readers. */
import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";
import type { TFunction } from "../../i18n/translate";
import { useWrong } from "./form";
import forms from "./form.module.css";

export interface FieldTexts {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

/** What a control needs to belong to its label, hint and error. */
export interface Ties {
  readonly id: string;
  readonly name: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

export function FieldFrame({
  name,
  label,
  hint,
  children,
}: FieldTexts & { readonly children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const wrong = useWrong(name);
  const described = [hint ? `${id}-hint` : "", wrong ? `${id}-wrong` : ""].filter(Boolean).join(" ");
  return (
    <div className={forms["field"]}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        "aria-describedby": described || undefined,
        "aria-invalid": wrong ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className={forms["field-hint"]}>
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-wrong`} className={forms["field-wrong"]}>
          {wrong}
        </p>
      )}
    </div>
  );
}

export function Field({ name, label, hint, ...input }: FieldTexts & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(ties) => <input {...input} {...ties} />}
    </FieldFrame>
  );
}

export function Select({
  name,
  label,
  hint,
  ...select
}: FieldTexts & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(ties) => <select {...select} {...ties} />}
    </FieldFrame>
  );
}

export function Check({
  label,
  hint,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & Omit<FieldTexts, "name">) {
  const id = useId();
  return (
    <div className={forms["check"]}>
      <input {...input} id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={forms["field-hint"]}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error of a field that must not be empty. */
export function requiredError(value: string | undefined, t: TFunction): string | undefined {
  return value?.trim() ? undefined : t("ui.form.required");
}
