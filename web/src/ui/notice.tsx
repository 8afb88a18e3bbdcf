/** Sentences about what happened, read out as they appear. */
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "./button";
import { explain, type Failure } from "../problems/explain";
import styles from "./notice.module.css";

type Tone = "good" | "bad" | "note";

export function Notice({ tone = "note", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <div className={styles["notice"]} data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** `submits`: the way to try again is to send the form that this stands in. */
export function FailureNotice(props: {
  readonly failure: Failure | null;
  readonly retry?: (() => void) | undefined;
  readonly submits?: boolean;
}) {
  const { t } = useTranslation();
  const { failure, retry, submits = false } = props;
  if (failure === null) return null;
  const canRetry = retry !== undefined || (submits && failure.isUnreachable);
  return (
    <Notice tone="bad">
      <p>{failure.text}</p>
      {[...new Set(Object.values(failure.fields))].map((wrong) => (
        <p key={wrong}>{wrong}</p>
      ))}
      {failure.wayOut !== undefined && <p>{failure.wayOut}</p>}
      {canRetry && (
        <Button type={submits ? "submit" : "button"} onClick={retry}>
          {t("problems.retry")}
        </Button>
      )}
    </Notice>
  );
}

/** Instead of something that could not be fetched. */
export function Trouble({ error, retry }: { readonly error: unknown; readonly retry: () => unknown }) {
  const { t } = useTranslation();
  return (
    <FailureNotice
      failure={explain(error, t)}
      retry={() => {
        void retry();
      }}
    />
  );
}

export function Waiting() {
  const { t } = useTranslation();
  return (
    <p className={styles["waiting"]} role="status">
      {t("ui.loading")}
    </p>
  );
}
