import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { useDates } from "../ui/time/dates";
import type { Highlight } from "./api";
import { markdownOf } from "./markdown";
import styles from "./highlights.module.css";

interface Props {
  readonly highlights: readonly Highlight[];
  readonly label: string;
  readonly look?: "plain" | "quiet";
}

/** On plain http browsers give no clipboard to pages: the text is shown selected, to be copied by hand. */
export function CopyMarkdown({ highlights, label, look = "plain" }: Props) {
  const { t } = useTranslation();
  const { day } = useDates();
  const [outcome, setOutcome] = useState<"copied" | "selected" | null>(null);
  const text = outcome === "selected" ? markdownOf(highlights, day) : "";
  return (
    <div className={styles["copy"]}>
      <Button
        look={look}
        onClick={() => {
          void copy(markdownOf(highlights, day)).then(setOutcome);
        }}
      >
        {label}
      </Button>
      <span role="status">{outcome !== null && t(`ui.copy.${outcome}`)}</span>
      {outcome === "selected" && <Selected text={text} label={label} />}
    </div>
  );
}

function Selected({ text, label }: { readonly text: string; readonly label: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return <textarea ref={field} readOnly rows={6} aria-label={label} value={text} />;
}

async function copy(text: string): Promise<"copied" | "selected"> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "selected";
  }
}
