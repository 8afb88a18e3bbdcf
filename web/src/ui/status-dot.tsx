import styles from "./status-dot.module.css";

/** Colour never speaks alone: the words stand beside the dot. */
export function StatusDot({ tone }: { readonly tone: "good" | "warn" | "bad" | "unknown" }) {
  return <span className={styles["dot"]} data-tone={tone} aria-hidden="true" />;
}
