import { memo } from "react";
import styles from "./thumbnail.module.css";

/** A mind map as lines `[depth, x1, y1, x2, y2]` from 0 to 100: what it looks like from far away. */
export const Thumbnail = memo(function Thumbnail({
  lines,
}: {
  readonly lines: readonly (readonly number[])[];
}) {
  return (
    <svg className={styles["thumbnail"]} viewBox="-4 -4 108 108" aria-hidden="true">
      {lines.map(([depth = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0], n) => {
        const middle = (x1 + x2) / 2;
        return (
          <g key={n} data-depth={Math.min(depth, 2)}>
            <path d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} />
            <circle cx={x2} cy={y2} r={depth <= 1 ? 4 : 2.5} />
          </g>
        );
      })}
      <circle className={styles["root"]} cx={lines[0]?.[1]} cy={lines[0]?.[2]} r="6" />
    </svg>
  );
});
