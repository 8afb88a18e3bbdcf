/** How wide a place is, so that what is drawn in it has letters and lines of their true size. */
import { useLayoutEffect, useState, type RefObject } from "react";

export function useWidth(place: RefObject<HTMLElement | null>, otherwise = 640): number {
  const [width, setWidth] = useState(otherwise);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => {
      const found = Math.floor(entry?.contentRect.width ?? 0);
      if (found > 0) setWidth(found);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [place]);
  return width;
}
