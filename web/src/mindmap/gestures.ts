/**
 * Hands on the map: drag the ground to move it, wheel or two fingers to zoom, drag a node to move that. What follows
 * the hand is written to the page directly, frame by frame; React hears of the end only.
 */
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import type { Point, View } from "./view";
import { panned, pointAt, zoomed } from "./view";

const DRAGGED_PX = 4;

export interface Hands {
  readonly view: () => View;
  readonly look: (view: View) => void;
  /** False where a node stays where it is. */
  readonly lift: (id: string) => boolean;
  /** The node is held this far from its place, with the pointer here; both in the map. */
  readonly carry: (id: string, dx: number, dy: number, pointer: Point) => void;
  readonly drop: (id: string, dx: number, dy: number, pointer: Point) => void;
  readonly cancel: () => void;
}

interface Held {
  readonly id: string | null;
  readonly startX: number;
  readonly startY: number;
  isMoving: boolean;
  isNode: boolean;
}

export function useGestures(
  area: RefObject<HTMLElement | null>,
  hands: Hands,
): { readonly wasDragged: () => boolean } {
  const latest = useRef(hands);
  const dragged = useRef(false);
  useLayoutEffect(() => {
    latest.current = hands;
  });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    return listen(element, latest, dragged);
  }, [area]);
  return { wasDragged: () => dragged.current };
}

function listen(element: HTMLElement, hands: RefObject<Hands>, dragged: RefObject<boolean>): () => void {
  const fingers = new Map<number, Point>();
  let held: Held | null = null;
  const at = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const letGo = () => {
    if (held?.isNode === true && held.isMoving) hands.current.cancel();
    held = null;
    delete element.dataset["moving"];
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, at(event));
    if (fingers.size > 1) {
      letGo();
      return;
    }
    dragged.current = false;
    const id =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>("[data-node]")?.dataset["node"]
        : null;
    held = { id: id ?? null, startX: event.clientX, startY: event.clientY, isMoving: false, isNode: false };
  };
  const begin = (event: PointerEvent, now: Held) => {
    now.isMoving = true;
    dragged.current = true;
    now.isNode = now.id !== null && hands.current.lift(now.id);
    // Only now: a click that is captured would be on the map, and no longer on its node.
    element.setPointerCapture(event.pointerId);
    element.dataset["moving"] = now.isNode ? "node" : "map";
  };
  const onMove = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = at(event);
    fingers.set(event.pointerId, now);
    const view = hands.current.view();
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      dragged.current = true;
      hands.current.look(pinched(view, before, now, other));
      return;
    }
    if (held === null) return;
    const [dx, dy] = [event.clientX - held.startX, event.clientY - held.startY];
    if (!held.isMoving && Math.hypot(dx, dy) > DRAGGED_PX) begin(event, held);
    if (!held.isMoving) return;
    if (held.isNode && held.id !== null)
      hands.current.carry(held.id, dx / view.scale, dy / view.scale, pointAt(view, now));
    else hands.current.look(panned(view, now.x - before.x, now.y - before.y));
  };
  const onUp = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    const was = held;
    if (was?.isNode === true && was.isMoving && was.id !== null && event.type === "pointerup") {
      const view = hands.current.view();
      const [dx, dy] = [event.clientX - was.startX, event.clientY - was.startY];
      hands.current.drop(was.id, dx / view.scale, dy / view.scale, pointAt(view, at(event)));
      held = null;
    }
    letGo();
  };
  const onWheel = (event: WheelEvent) => {
    // The page scrolls on, unless somebody is in the map or means it.
    if (!event.ctrlKey && !event.metaKey && !element.contains(document.activeElement)) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const speed = event.ctrlKey ? 0.01 : 0.002;
    hands.current.look(zoomed(hands.current.view(), at(event), Math.exp(-event.deltaY * lines * speed)));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && held?.isMoving === true) letGo();
  };
  const listeners = {
    pointerdown: onDown,
    pointermove: onMove,
    pointerup: onUp,
    pointercancel: onUp,
  } as const;
  for (const [name, listener] of Object.entries(listeners))
    element.addEventListener(name, listener as EventListener);
  element.addEventListener("wheel", onWheel, { passive: false });
  document.addEventListener("keydown", onKey);
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      element.removeEventListener(name, listener as EventListener);
    element.removeEventListener("wheel", onWheel);
    document.removeEventListener("keydown", onKey);
  };
}

/** One of two fingers has moved: the map moves with their middle and grows with their distance. */
function pinched(view: View, before: Point, now: Point, other: Point): View {
  const apart = (one: Point) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 8);
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
  const moved = panned(view, (now.x - before.x) / 2, (now.y - before.y) / 2);
  return zoomed(moved, middle, apart(now) / apart(before));
}
