/** Light, dark, or the system's theme. The colours are in ui/styles/tokens.css. */
import { useSyncExternalStore } from "react";
import { recall, remember } from "../ui/local-storage";

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

/** For canvases, which have no stylesheet and have to be drawn again when the theme changes. */
export function useIsDark(): boolean {
  const isSystemDark = useSyncExternalStore(subscribeToSystem, () => systemDark()?.matches ?? false);
  const theme = useTheme();
  return theme === "system" ? isSystemDark : theme === "dark";
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

function systemDark(): MediaQueryList | undefined {
  return typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : undefined;
}

function subscribeToSystem(listener: () => void): () => void {
  const query = systemDark();
  query?.addEventListener("change", listener);
  return () => query?.removeEventListener("change", listener);
}
