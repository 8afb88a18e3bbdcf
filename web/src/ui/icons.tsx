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
  bin: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  folder: "M3.5 6.5h6l2 2.5h9v10h-17z",
  right: "M9 6l6 6-6 6",
  info: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 11v5M12 8h.01",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2 2 0 0 0 4 0",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  undo: "M9 6L4.5 10.5 9 15M4.5 10.5H14a5 5 0 0 1 0 10h-2",
  redo: "M15 6l4.5 4.5L15 15M19.5 10.5H10a5 5 0 0 0 0 10h2",
  tag: "M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01",
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
