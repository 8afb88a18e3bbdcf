/**
 * A long list of which only the visible rows are in the page. Row heights are known in advance; the page itself scrolls,
 * so keys and scroll bar work as usual. The browser's own find only sees the rows that are in the page.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";

const AROUND_PX = 700;

export interface Range {
  readonly first: number;
  /** Behind the last. */
  readonly end: number;
}

/** `tops[i]` is where item i begins; the last entry is where all end. */
export function topsOf(heights: readonly number[]): readonly number[] {
  const tops = [0];
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height);
  return tops;
}

export function rangeOf(tops: readonly number[], from: number, to: number): Range {
  return { first: Math.max(0, upper(tops, from) - 1), end: Math.min(tops.length - 1, upper(tops, to)) };
}

/** The first entry that is beyond `value`. */
function upper(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface WindowedRows {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly tops: readonly number[];
  readonly range: Range;
  readonly reveal: (index: number) => void;
}

export function useWindowedRows(heights: readonly number[]): WindowedRows {
  const list = useRef<HTMLOListElement>(null);
  const tops = useMemo(() => topsOf(heights), [heights]);
  const [range, setRange] = useState<Range>({ first: 0, end: 30 });
  const look = () => {
    const element = list.current;
    if (!element) return;
    const top = -element.getBoundingClientRect().top;
    const found = rangeOf(tops, top - AROUND_PX, top + window.innerHeight + AROUND_PX);
    setRange((before) => (before.first === found.first && before.end === found.end ? before : found));
  };
  const latest = useRef(look);
  useLayoutEffect(() => {
    latest.current = look;
    look();
  });
  useEffect(() => {
    let asked = 0;
    const onMove = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(() => {
        latest.current();
      });
    };
    window.addEventListener("scroll", onMove, { passive: true });
    window.addEventListener("resize", onMove);
    return () => {
      cancelAnimationFrame(asked);
      window.removeEventListener("scroll", onMove);
      window.removeEventListener("resize", onMove);
    };
  }, []);
  const reveal = (index: number) => {
    const element = list.current;
    if (!element) return;
    const top = element.getBoundingClientRect().top + window.scrollY + (tops[index] ?? 0);
    const height = (tops[index + 1] ?? 0) - (tops[index] ?? 0);
    window.scrollTo({ top: top - (window.innerHeight - height) / 2 });
    look();
  };
  return { list, tops, range, reveal };
}
