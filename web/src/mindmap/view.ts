/** What part of the map is seen: a point of the map at (x, y) is at `x * scale + view.x` of the screen. Pure. */
import type { Bounds } from "./arrange";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const SMALLEST = 0.01;
const LARGEST = 2.5;
const MARGIN_PX = 36;
/** A map of three nodes isn't blown up. */
export const LARGEST_FITTED = 1.15;

/** All of it, in the middle. */
export function fitted({ left, top, width, height }: Bounds, size: Size): View {
  const scale = Math.min(
    LARGEST_FITTED,
    Math.max(
      SMALLEST,
      Math.min((size.width - 2 * MARGIN_PX) / width, (size.height - 2 * MARGIN_PX) / height),
    ),
  );
  return {
    scale,
    x: size.width / 2 - (left + width / 2) * scale,
    y: size.height / 2 - (top + height / 2) * scale,
  };
}

/** What is at this point of the screen stays there. */
export function zoomed(view: View, { x, y }: Point, factor: number): View {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

export function panned(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Moved only as far as it takes to see the point, and never so small that its label can't be read. */
export function revealing(view: View, { x, y }: Point, size: Size, readable = 0.6): View {
  if (view.scale < readable) return { scale: 0.9, x: size.width / 2 - x * 0.9, y: size.height / 2 - y * 0.9 };
  const [sx, sy] = [x * view.scale + view.x, y * view.scale + view.y];
  const edge = 80;
  const into = (at: number, length: number) =>
    at < edge ? edge - at : at > length - edge ? length - edge - at : 0;
  return panned(view, into(sx, size.width), into(sy, size.height));
}

/** A point of the screen, in the map. */
export function pointAt(view: View, { x, y }: Point): Point {
  return { x: (x - view.x) / view.scale, y: (y - view.y) / view.scale };
}
