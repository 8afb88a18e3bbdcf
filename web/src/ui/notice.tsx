/** Sentences about what happened, read out as they appear. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { explain, type Failure } from "./failure";

type Tone = "good" | "bad" | "note";

export function Notice({ tone = "note", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <div className="notice" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
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
  const canRetry = retry !== undefined || (submits && failure.isAway);
  return (
    <Notice tone="bad">
      <p>{failure.text}</p>
      {[...new Set(Object.values(failure.fields))].map((wrong) => (
        <p key={wrong}>{wrong}</p>
      ))}
      {failure.wayOut !== undefined && <p>{failure.wayOut}</p>}
      {canRetry && (
        <Button type={submits ? "submit" : "button"} onClick={retry}>
          {t("failure.retry")}
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
    <p className="waiting" role="status">
      {t("common.waiting")}
    </p>
  );
}
