/** A text to take along: a link, a token. Selected as a whole on focus, with a button that copies it. */
import { useId, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../button";
import forms from "./form.module.css";

export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<"copied" | "selected" | null>(null);
  return (
    <div className={forms["field"]}>
      <label htmlFor={id}>{label}</label>
      <div className={forms["copy"]}>
        <input
          ref={field}
          id={id}
          readOnly
          value={value}
          onFocus={(event) => {
            event.currentTarget.select();
          }}
        />
        <Button
          onClick={() => {
            void copy(value, field.current).then(setOutcome);
          }}
        >
          {t("ui.copy.copy")}
        </Button>
      </div>
      <p className={forms["field-hint"]} role="status">
        {outcome !== null && t(`ui.copy.${outcome}`)}
      </p>
    </div>
  );
}

/** On plain http browsers give no clipboard to pages; the selected text can still be copied by hand. */
async function copy(value: string, field: HTMLInputElement | null): Promise<"copied" | "selected"> {
  try {
    await navigator.clipboard.writeText(value);
    return "copied";
  } catch {
    field?.focus();
    field?.select();
    return "selected";
  }
}
