import { useMe } from "../../account/me";
import { classes } from "../../ui/classes";
import layout from "../../ui/styles/layout.module.css";
import { offsetOf } from "../../ui/time/calendar";
import { useDates } from "../../ui/time/dates";
import styles from "./strip.module.css";
import { ticks, type View } from "./view";

const DAY_MS = 86_400_000;
/** What a label takes at most, by its precision: one that would be cut at the edge is left out. */
const WIDTHS = { exact: 96, clock: 80, time: 60, dayAndTime: 136 } as const;

/** Times below the strip, as precise as the zoom asks for. */
export function Axis({ view, width }: { readonly view: View; readonly width: number }) {
  const dates = useDates();
  const ahead = offsetOf(view.from, useMe().settings.timezone);
  const isLong = view.to - view.from > DAY_MS;
  const room = isLong ? WIDTHS.dayAndTime : WIDTHS.exact;
  const { step, at: moments } = ticks(view, Math.max(2, Math.floor(width / room)), ahead);
  const precision = isLong ? "dayAndTime" : step < 1_000 ? "exact" : step < 60_000 ? "clock" : "time";
  const leftOf = (moment: number) => ((moment - view.from) / (view.to - view.from)) * width;
  const labelled = moments.filter((moment) => leftOf(moment) + WIDTHS[precision] <= width);
  return (
    <div className={classes(styles["axis"], layout["figures"])} aria-hidden="true">
      {labelled.map((moment) => (
        <span key={moment} style={{ left: leftOf(moment) }}>
          {dates[precision](moment)}
        </span>
      ))}
    </div>
  );
}
