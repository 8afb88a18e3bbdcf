/** Light, dark, or as the system has it. The colours themselves are in theme.css. */
import { useSyncExternalStore } from "react";
import { recall, remember } from "./stored";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const REMEMBERED = "mindhit.theme"; // public/theme.js reads it too
const listeners = new Set<() => void>();
let current: Theme = "system";

export function startTheme(): void {
  const remembered = recall(REMEMBERED);
  apply(THEMES.find((theme) => theme === remembered) ?? "system");
}

export function chooseTheme(theme: Theme): void {
  remember(REMEMBERED, theme);
  apply(theme);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => current);
}

function apply(theme: Theme): void {
  current = theme;
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  // The browser's own bars: one colour for each scheme, chosen by its media query.
  for (const bar of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color][data-scheme]")) {
    const scheme = bar.dataset["scheme"] ?? "";
    if (theme === "system") bar.media = `(prefers-color-scheme: ${scheme})`;
    else bar.media = scheme === theme ? "all" : "not all";
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
