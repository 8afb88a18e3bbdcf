/** Small pictures for buttons, always beside words or with a label on the button. */
import styles from "./icons.module.css";
const SHAPES = {
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  down: "M6 9l6 6 6-6",
  web: "M4 5h16v14H4zM4 9h16M7 7h.01M10 7h.01",
  extension: "M10 4a2 2 0 0 1 4 0v2h4v4h2a2 2 0 0 1 0 4h-2v5H6v-4H4a2 2 0 0 1 0-4h2V6h4z",
  api: "M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14",
  pencil: "M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3",
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles["icon"]} viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
