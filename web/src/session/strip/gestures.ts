/** Wheel, drag and pinch on the strip. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { isWhole, pan, zoom, type View } from "./view";

interface Now {
  readonly view: View;
  readonly whole: View;
  readonly width: number;
  readonly look: (view: View) => void;
}

const DRAGGED_PX = 4;

export function useGestures(
  canvas: RefObject<HTMLElement | null>,
  now: Now,
): { readonly wasDragged: () => boolean } {
  const latest = useRef(now);
  const dragged = useRef(0);
  useLayoutEffect(() => {
    latest.current = now;
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const fingers = new Map<number, number>();
    const momentAt = (clientX: number) => {
      const { view, width } = latest.current;
      return view.from + ((clientX - element.getBoundingClientRect().left) / width) * (view.to - view.from);
    };
    const onWheel = (event: WheelEvent) => {
      const { view, whole, width, look } = latest.current;
      const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      // Out of what is whole already: the page scrolls on.
      if (!isAcross && event.deltaY > 0 && isWhole(view, whole)) return;
      event.preventDefault();
      const by = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (isAcross) {
        const px = (event.deltaX || event.deltaY) * by;
        look(pan(view, whole, (px / width) * (view.to - view.from)));
      } else look(zoom(view, whole, momentAt(event.clientX), Math.exp(event.deltaY * by * 0.0025)));
    };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (fingers.size === 0) dragged.current = 0;
      fingers.set(event.pointerId, event.clientX);
      element.setPointerCapture(event.pointerId);
    };
    const onMove = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const { view, whole, width, look } = latest.current;
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, event.clientX);
      dragged.current += Math.abs(event.clientX - before);
      if (other === undefined) {
        look(pan(view, whole, ((before - event.clientX) / width) * (view.to - view.from)));
        return;
      }
      const apart = Math.max(Math.abs(event.clientX - other), 8);
      look(
        zoom(
          view,
          whole,
          momentAt((event.clientX + other) / 2),
          Math.max(Math.abs(before - other), 8) / apart,
        ),
      );
    };
    const onUp = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    element.addEventListener("pointerup", onUp);
    element.addEventListener("pointercancel", onUp);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
      element.removeEventListener("pointerup", onUp);
      element.removeEventListener("pointercancel", onUp);
    };
  }, [canvas]);
  return { wasDragged: () => dragged.current > DRAGGED_PX };
}
