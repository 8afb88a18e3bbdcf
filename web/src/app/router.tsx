/**
 * Where the app is: wouter's routes and links over the address bar. Every step through the app goes through `navigate`
 * here, which adds what wouter doesn't know: a new screen begins at its top, knows where it was opened from, and may
 * bring a word about what has just happened.
 * What stands after `#` belongs to no route: it carries one-time tokens, which `account/link-token.ts` takes away.
 */
import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { Router } from "wouter";
import { navigate as go, usePathname, useSearch } from "wouter/use-browser-location";

export { Redirect } from "wouter";

export type Params = Readonly<Record<string, string | undefined>>;

/** A word for the next screen about what has just happened, e.g. that a password was changed. */
export type Flash = "signedOut" | "signedOutElsewhere" | "passwordChosen" | "erased" | "welcome";

interface NavigateOptions {
  readonly replace?: boolean | undefined;
  readonly keepsPlace?: boolean;
  readonly flash?: Flash;
}

let hasMoved = false;
let leftFrom: Element | null = null;
window.addEventListener("popstate", rememberFocus);

/** Links and redirects inside go through `navigate`. */
export function AppRouter({ children }: { readonly children: ReactNode }) {
  return <Router aroundNav={aroundNav}>{children}</Router>;
}

function aroundNav(_: unknown, to: string, options?: NavigateOptions): void {
  navigate(to, { replace: options?.replace });
}

interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  readonly to: string;
}

/** Without wouter's own watch of the address bar, which a list of hundreds of links need not have. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        const isForBrowser = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
        if (isForBrowser || event.button !== 0) return;
        onClick?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}

/** Go to a path of this app. */
export function navigate(
  to: string,
  { replace = false, keepsPlace = false, flash }: NavigateOptions = {},
): void {
  const from = replace ? cameFrom() : location.pathname + location.search;
  const state = { ...(flash !== undefined && { flash }), ...(from !== undefined && { from }) };
  rememberFocus();
  go(to, { replace, state });
  if (!keepsPlace) document.documentElement.scrollTop = 0;
}

export function useLocation(): { readonly path: string; readonly search: URLSearchParams } {
  const path = usePathname();
  return { path, search: new URLSearchParams(useSearch()) };
}

/** The word that the screen before left for this one. Said once: not after a reload, nor to who comes back. */
export function useFlash(): Flash | undefined {
  const [flash] = useState(() => (history.state as { flash?: Flash } | null)?.flash);
  useEffect(() => {
    if (flash !== undefined) history.replaceState(null, "");
  }, [flash]);
  return flash;
}

/** The address of this app that this screen was opened from, through a reload too. */
export function useCameFrom(): string | undefined {
  const [from] = useState(cameFrom);
  return from;
}

/**
 * Is the focus to be led to this screen? On a fresh page the browser does that, and whoever has gone on meanwhile, to a
 * field of the screen or to a menu while its script was on the way, is left where they are.
 */
export function isLed(): boolean {
  const now = document.activeElement;
  return hasMoved && (now === null || now === document.body || now === leftFrom || now.tagName === "MAIN");
}

function rememberFocus(): void {
  hasMoved = true;
  leftFrom = document.activeElement;
}

function cameFrom(): string | undefined {
  return (history.state as { from?: string } | null)?.from;
}
