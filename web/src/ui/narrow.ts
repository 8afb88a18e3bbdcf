import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 36rem)";

/** As narrow as a phone: the same width at which the style sheets change. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow);
}

function isNarrow(): boolean {
  return typeof matchMedia === "function" && matchMedia(NARROW).matches;
}

function subscribe(listener: () => void): () => void {
  if (typeof matchMedia !== "function") return () => undefined;
  const query = matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => {
    query.removeEventListener("change", listener);
  };
}
