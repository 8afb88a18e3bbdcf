/** The width of an element in pixels, for drawings with text and lines of their true size. */
import { useLayoutEffect, useState, type RefObject } from "react";

export function useWidth(element: RefObject<HTMLElement | null>, otherwise = 640): number {
  const [width, setWidth] = useState(otherwise);
  useLayoutEffect(() => {
    const found = element.current;
    if (!found || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => {
      const px = Math.floor(entry?.contentRect.width ?? 0);
      if (px > 0) setWidth(px);
    });
    observer.observe(found);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return width;
}
