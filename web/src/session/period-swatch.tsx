import styles from "./period-swatch.module.css";
import type { Kind } from "./timeline/periods";

/** A small sample of how the strip draws a kind of period. */
export function PeriodSwatch({ kind }: { readonly kind: Kind }) {
  return <span className={styles["swatch"]} data-kind={kind} aria-hidden="true" />;
}
