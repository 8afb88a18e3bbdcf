/**
 * A button that goes with what it did would take the focus along, and whoever uses the keyboard would begin at the top
 * of the page again. The place where it stood gets the focus instead.
 */
import { useEffect, type RefObject } from "react";

const PLACES = "section, article, form, dialog, main";

export function useKeptFocus(around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = around.current;
    if (!main) return;
    let last: Element | null = null;
    let places: readonly HTMLElement[] = [];
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
      places = last ? placesOf(last, main) : [];
    };
    const look = () => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      const place = places.find((each) => each.isConnected);
      if (!place) return;
      if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    main.addEventListener("focusin", onFocus);
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      main.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, [around]);
}

/** From the inside out. */
function placesOf(element: Element, main: HTMLElement): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at = element.parentElement; at && main.contains(at); at = at.parentElement)
    if (at.matches(PLACES)) places.push(at);
  return places;
}
