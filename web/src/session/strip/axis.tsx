import { useMe } from "../../account/me";
import { classes } from "../../ui/classes";
import layout from "../../ui/styles/layout.module.css";
import { offsetOf } from "../../ui/time/calendar";
import { useDates } from "../../ui/time/dates";
import styles from "./strip.module.css";
import { ticks, type View } from "./view";

const LABEL_PX = 96;

/** Times below the strip, as precise as the zoom asks for. */
export function Axis({ view, width }: { readonly view: View; readonly width: number }) {
  const dates = useDates();
  const ahead = offsetOf(view.from, useMe().settings.timezone);
  const { step, at: moments } = ticks(view, Math.max(2, Math.floor(width / LABEL_PX)), ahead);
  const format = step < 1_000 ? dates.exact : step < 60_000 ? dates.clock : dates.time;
  return (
    <div className={classes(styles["axis"], layout["figures"])} aria-hidden="true">
      {moments.map((moment) => (
        <span key={moment} style={{ left: ((moment - view.from) / (view.to - view.from)) * width }}>
          {format(moment)}
        </span>
      ))}
    </div>
  );
}
