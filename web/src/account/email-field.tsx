import { LONGEST_ADDRESS } from "@mindhit/client";
import type { TFunction } from "../i18n/translate";
import type { InputHTMLAttributes } from "react";
import { useTranslation } from "../i18n/translation";
import { Field, type FieldTexts } from "../ui/forms/field";

export function EmailField({ label, ...rest }: Partial<FieldTexts> & InputHTMLAttributes<HTMLInputElement>) {
  const { t } = useTranslation();
  return (
    <Field
      name="email"
      label={label ?? t("account.fields.email")}
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={LONGEST_ADDRESS}
      {...rest}
    />
  );
}

/** Loose on purpose, as on the server: only a mail that arrives proves an address. */
export function emailError(email: string | undefined, t: TFunction): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email?.trim() ?? "") ? undefined : t("account.checks.email");
}
