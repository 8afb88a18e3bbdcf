/** Fields with their label above, a hint and what is wrong below, all tied together for screen readers. */
import { useId, useState, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";
import { useTranslation } from "react-i18next";
import { SHORTEST_PASSWORD } from "../account/password";
import { useWrong } from "./form";

interface Around {
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
}: Around & { readonly children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const wrong = useWrong(name);
  const described = [hint ? `${id}-hint` : "", wrong ? `${id}-wrong` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        "aria-describedby": described || undefined,
        "aria-invalid": wrong ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-wrong`} className="field-wrong">
          {wrong}
        </p>
      )}
    </div>
  );
}

export function Field({ name, label, hint, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(ties) => <input {...input} {...ties} />}
    </FieldFrame>
  );
}

export function EmailField({ label, ...rest }: Partial<Around> & InputHTMLAttributes<HTMLInputElement>) {
  const { t } = useTranslation();
  return (
    <Field
      name="email"
      label={label ?? t("fields.email")}
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      {...rest}
    />
  );
}

interface PasswordProps extends Partial<Around> {
  /** One that is being chosen: says how long it has to be, and how far it is. */
  readonly isNew?: boolean;
}

export function PasswordField({ name = "password", label, hint, isNew = false }: PasswordProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const [length, setLength] = useState(0);
  return (
    <FieldFrame
      name={name}
      label={label ?? t("fields.password")}
      hint={isNew ? <Strength length={length} /> : hint}
    >
      {(ties) => (
        <div className="password">
          <input
            {...ties}
            type={isShown ? "text" : "password"}
            autoComplete={isNew ? "new-password" : "current-password"}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            onChange={(event) => {
              setLength(Array.from(event.currentTarget.value).length);
            }}
          />
          <button
            type="button"
            aria-controls={ties.id}
            aria-label={isShown ? t("fields.hidePassword") : t("fields.showPassword")}
            onClick={() => {
              setShown(!isShown);
            }}
          >
            {isShown ? t("fields.hide") : t("fields.show")}
          </button>
        </div>
      )}
    </FieldFrame>
  );
}

function Strength({ length }: { readonly length: number }) {
  const { t } = useTranslation();
  const isEnough = length >= SHORTEST_PASSWORD;
  return (
    <span className="strength" data-enough={isEnough}>
      <meter min={0} max={SHORTEST_PASSWORD} value={Math.min(length, SHORTEST_PASSWORD)} aria-hidden="true" />
      {isEnough ? t("fields.longEnough") : t("fields.tooShortYet", { shortest: SHORTEST_PASSWORD, length })}
    </span>
  );
}

export function Select({ name, label, hint, ...select }: Around & SelectHTMLAttributes<HTMLSelectElement>) {
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
}: InputHTMLAttributes<HTMLInputElement> & Omit<Around, "name">) {
  const id = useId();
  return (
    <div className="check">
      <input {...input} id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
