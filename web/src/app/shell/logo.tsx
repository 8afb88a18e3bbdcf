/** Visits along a line, the last of them a hit. Decorative: the name is next to it. */
import styles from "./logo.module.css";
export function Logo() {
  return (
    <svg className={styles["logo"]} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={styles["ground"]} width="32" height="32" rx="8" />
      <path className={styles["line"]} d="M7 22.5 13.5 12l5.5 8L25 9.5" />
      <circle className={styles["visit"]} cx="7" cy="22.5" r="2.5" />
      <circle className={styles["visit"]} cx="13.5" cy="12" r="2.5" />
      <circle className={styles["visit"]} cx="19" cy="20" r="2.5" />
      <circle className={styles["hit"]} cx="25" cy="9.5" r="3.5" />
    </svg>
  );
}
