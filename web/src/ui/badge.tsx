/** Short words in a coloured pill: a note about something, or the status of it with a dot. */
import type { ReactNode } from "react";
import styles from "./badge.module.css";

type Tone = "plain" | "good" | "warn";

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={styles["badge"]} data-tone={tone}>
      {children}
    </span>
  );
}

type Status = "recording" | "processing" | "failed" | "incomplete" | "idle";

export function StatusPill({ status, children }: { readonly status: Status; readonly children: ReactNode }) {
  return (
    <span className={styles["status"]} data-status={status}>
      {children}
    </span>
  );
}
