import { useLayoutEffect, useRef, type PointerEvent } from "react";
import type { SessionTimeline } from "../timeline/periods";
import { drawMinimap, MINIMAP_HEIGHT } from "./drawing";
import { isWhole, within, type View } from "./view";
import styles from "./strip.module.css";

interface Props {
  readonly timeline: SessionTimeline;
  readonly view: View;
  readonly width: number;
  readonly look: (view: View) => void;
  readonly isDark: boolean;
}

/** The whole session, small, with a frame around what the strip shows. For the pointer; keys move the strip itself. */
export function Minimap({ timeline, view, width, look, isDark }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const whole: View = { from: timeline.from, to: timeline.to };
  useLayoutEffect(() => {
    if (width === 0) return;
    const context = canvas.current?.getContext("2d");
    if (context) drawMinimap(context, { timeline, width, isDark });
  }, [timeline, width, isDark]);
  const go = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const middle = whole.from + (x / width) * (whole.to - whole.from);
    const half = (view.to - view.from) / 2;
    look(within({ from: middle - half, to: middle + half }, whole));
  };
  const scale = width / (whole.to - whole.from);
  return (
    <div
      className={styles["minimap"]}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) go(event);
      }}
    >
      <canvas ref={canvas} style={{ width, height: MINIMAP_HEIGHT }} />
      {!isWhole(view, whole) && (
        <span
          className={styles["minimap-frame"]}
          style={{
            left: (view.from - whole.from) * scale,
            width: Math.max((view.to - view.from) * scale, 4),
          }}
        />
      )}
    </div>
  );
}
