/**
 * When a focused button is removed with what it acted on, the browser moves the focus to the top of the page. Instead,
 * the nearest section that is still there gets it.
 */
import { useEffect, type RefObject } from "react";

const CONTAINERS = "section, article, form, dialog, main";

export function useRestoredFocus(around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = around.current;
    if (!main) return;
    let last: Element | null = null;
    let containers: readonly HTMLElement[] = [];
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
      containers = last ? containersOf(last, main) : [];
    };
    const look = () => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      const container = containers.find((each) => each.isConnected);
      if (!container) return;
      if (!container.hasAttribute("tabindex")) container.tabIndex = -1;
      container.focus({ preventScroll: true });
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
function containersOf(element: Element, main: HTMLElement): readonly HTMLElement[] {
  const containers: HTMLElement[] = [];
  for (let at = element.parentElement; at && main.contains(at); at = at.parentElement)
    if (at.matches(CONTAINERS)) containers.push(at);
  return containers;
}
