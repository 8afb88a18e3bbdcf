import { useSyncExternalStore } from "react";
import { mediaQuery } from "../styles/tokens";

const PHONE = mediaQuery("phone");

/** As narrow as a phone: the width at which the stylesheets change, too. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone);
}

function isPhone(): boolean {
  return typeof matchMedia === "function" && matchMedia(PHONE).matches;
}

function subscribe(listener: () => void): () => void {
  if (typeof matchMedia !== "function") return () => undefined;
  const query = matchMedia(PHONE);
  query.addEventListener("change", listener);
  return () => {
    query.removeEventListener("change", listener);
  };
}
