import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "@mindhit/client";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { FieldFrame, type FieldTexts } from "../ui/forms/field";
import styles from "./password-field.module.css";

interface PasswordProps extends Partial<FieldTexts> {
  /** A password being chosen: shows how long it has to be and how long it is. */
  readonly isNew?: boolean;
}

export function PasswordField({ name = "password", label, hint, isNew = false }: PasswordProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const [length, setLength] = useState(0);
  return (
    <FieldFrame
      name={name}
      label={label ?? t("account.fields.password")}
      hint={isNew ? <Strength length={length} /> : hint}
    >
      {(ties) => (
        <div className={styles["password"]}>
          <input
            {...ties}
            type={isShown ? "text" : "password"}
            autoComplete={isNew ? "new-password" : "current-password"}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={LONGEST_PASSWORD}
            onChange={(event) => {
              setLength(Array.from(event.currentTarget.value).length);
            }}
          />
          <button
            type="button"
            aria-controls={ties.id}
            aria-label={isShown ? t("account.fields.hidePassword") : t("account.fields.showPassword")}
            onClick={() => {
              setShown(!isShown);
            }}
          >
            {isShown ? t("account.fields.hide") : t("account.fields.show")}
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
    <span className={styles["strength"]} data-enough={isEnough}>
      <meter min={0} max={SHORTEST_PASSWORD} value={Math.min(length, SHORTEST_PASSWORD)} aria-hidden="true" />
      {isEnough
        ? t("account.fields.longEnough")
        : t("account.fields.tooShortYet", { shortest: SHORTEST_PASSWORD, length })}
    </span>
  );
}
