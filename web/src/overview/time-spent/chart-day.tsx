/** What the week's bars and the month's rings share: a day to click, and the coloured pieces of it. */
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { classes } from "../../ui/classes";
import { tinted } from "../../ui/domain-colors";
import { ofMinutes } from "../../ui/time/durations";
import type { Part, Shares } from "./chart-data";
import styles from "./charts.module.css";

export interface ChartProps {
  readonly shares: Shares;
  readonly width: number;
  readonly today: string;
  /** The only day whose sessions are listed, if any. */
  readonly chosen: string;
  readonly choose: (date: string) => void;
  /** The hovered domain, if any; the others fade. */
  readonly active: string | null;
  readonly hover: (domain: string | null) => void;
}

interface ChartDayProps extends Pick<ChartProps, "chosen" | "choose"> {
  readonly day: Shares["days"][number];
  readonly transform?: string;
  readonly children: ReactNode;
}

/** A click on a day lists its sessions; with the keyboard, the table below does the same. */
export function ChartDay({ day: { date, total }, chosen, choose, transform, children }: ChartDayProps) {
  return (
    <g
      className={styles["day"]}
      transform={transform}
      data-leads={total > 0}
      data-chosen={date === chosen}
      onClick={() => {
        if (total > 0) choose(date);
      }}
    >
      {children}
    </g>
  );
}

interface PieceProps extends Pick<ChartProps, "active" | "hover"> {
  readonly part: Part;
  readonly children: ReactNode;
}

export function Piece({ part: { domain, ms, minutes }, active, hover, children }: PieceProps) {
  const { t } = useTranslation();
  const isFaded = active !== null && active !== domain;
  return (
    <g
      className={classes(styles["piece"], domain === null && styles["others"], isFaded && styles["faded"])}
      {...(domain === null ? {} : tinted(domain))}
      onPointerEnter={() => {
        hover(domain);
      }}
      onPointerLeave={() => {
        hover(null);
      }}
    >
      <title>{`${domain ?? t("overview.time.other")}: ${ofMinutes(minutes, ms, t)}`}</title>
      {children}
    </g>
  );
}
