/** Screens whose link is pointed at or focused are fetched before they are asked for. */
import { useEffect } from "react";
import { matchRoute, useRouter } from "wouter";
import { ROUTES } from "./routes";

export function usePreloading(): void {
  const { parser } = useRouter();
  useEffect(() => {
    const onPoint = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link?.origin !== location.origin) return;
      const route = ROUTES.find(({ path }) => matchRoute(parser, path, link.pathname)[0]);
      void route?.load?.().catch(() => undefined); // told when the screen is opened
    };
    const events = ["pointerover", "focusin"] as const;
    for (const event of events) document.addEventListener(event, onPoint);
    return () => {
      for (const event of events) document.removeEventListener(event, onPoint);
    };
  }, [parser]);
}
