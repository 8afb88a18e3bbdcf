/**
 * A long list of which only the visible rows are in the page (TanStack Virtual). Row heights are known in advance; the
 * page itself scrolls, so keys and scroll bar work as usual. The browser's own find only sees the rows that are in the page.
 */
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** Rows before and behind what can be seen. */
const AROUND = 12;

export interface WindowedRows {
  readonly list: RefObject<HTMLOListElement | null>;
  /** Of all rows. */
  readonly height: number;
  /** Those near the window: which, and where they begin in the list. */
  readonly rows: readonly { readonly index: number; readonly top: number }[];
  readonly reveal: (index: number) => void;
}

export function useWindowedRows(heights: readonly number[]): WindowedRows {
  const list = useRef<HTMLOListElement>(null);
  const scrollMargin = useTop(list, heights);
  const virtualizer = useWindowVirtualizer({
    count: heights.length,
    estimateSize: (index) => heights[index] ?? 0,
    overscan: AROUND,
    scrollMargin,
  });
  useLayoutEffect(() => {
    virtualizer.measure(); // it remembers heights
  }, [virtualizer, heights]);
  return {
    list,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start - scrollMargin })),
    reveal: (index) => {
      virtualizer.scrollToIndex(index, { align: "center" });
    },
  };
}

/** Where the list begins on the page. What stands above it may grow. */
function useTop(list: RefObject<HTMLElement | null>, heights: readonly number[]): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const look = () => {
      const box = list.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    look();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => {
      observer.disconnect();
    };
  }, [list, heights]);
  return top;
}
