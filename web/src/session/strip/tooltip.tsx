import type { CSSProperties } from "react";
import { useTranslation } from "../../i18n/translation";
import { classes } from "../../ui/classes";
import layout from "../../ui/styles/layout.module.css";
import { useDates } from "../../ui/time/dates";
import { inWords } from "../../ui/time/durations";
import type { Period } from "../timeline/periods";
import styles from "./strip.module.css";

export interface Hovered {
  readonly x: number;
  readonly period: Period;
}

export function Tooltip({ x, period, width }: Hovered & { readonly width: number }) {
  const { t } = useTranslation();
  const dates = useDates();
  const { visit, kind, from, to } = period;
  const style: CSSProperties = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div className={classes(styles["tooltip"], layout["figures"])} style={style}>
      <strong>
        <bdi>{visit ? (visit.title ?? visit.url).slice(0, 120) : t(`session.kinds.${kind}`)}</bdi>
      </strong>
      {visit && <bdi>{visit.domain}</bdi>}
      <span>
        {dates.exact(from)} · {inWords(to - from, t)}
      </span>
    </div>
  );
}
