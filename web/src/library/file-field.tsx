import type { Ref } from "react";
import { FieldFrame } from "../ui/forms/field";
import styles from "./import.module.css";

interface Props {
  readonly ref: Ref<HTMLInputElement>;
  readonly name: string;
  readonly label: string;
  readonly accept: string;
}

/** The browser's own, which files can be dropped on, too. */
export function FileField({ ref, name, label, accept }: Props) {
  return (
    <FieldFrame name={name} label={label}>
      {(ties) => <input {...ties} ref={ref} className={styles["file"]} type="file" accept={accept} />}
    </FieldFrame>
  );
}
