/** Arrow keys, Home and End on the strip. */
import type { KeyboardEvent } from "react";
import { pan, type View } from "./view";

/** Share of what is visible. */
const PAN_STEP = 0.15;

export function panByKey(event: KeyboardEvent, view: View, whole: View, look: (view: View) => void): void {
  const length = view.to - view.from;
  if (event.key === "ArrowLeft") look(pan(view, whole, -length * PAN_STEP));
  else if (event.key === "ArrowRight") look(pan(view, whole, length * PAN_STEP));
  else if (event.key === "Home") look(pan(view, whole, whole.from - view.from));
  else if (event.key === "End") look(pan(view, whole, whole.to - view.to));
  else return;
  event.preventDefault();
}
