/**
 * Where the app is: the address bar is the only state, screens are found by pattern in a table (`routes.tsx`).
 * What stands after `#` belongs to no route: it carries one-time tokens, which `account/link-token.ts` takes away.
 */
import { useEffect, useState, useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from "react";

export type Params = Readonly<Record<string, string>>;

/** A word for the next screen about what has just happened, e.g. that a password was changed. */
export type Flash = "signedOut" | "signedOutElsewhere" | "passwordChosen" | "erased" | "welcome" | "deleted";

const listeners = new Set<() => void>();
let hasMoved = false;
let leftFrom: Element | null = null;

/** The values of `:names` in `pattern` if `path` fits it, else null. A slash at the end does not matter. */
export function match(pattern: string, path: string): Params | null {
  const wanted = pieces(pattern);
  const given = pieces(path);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, piece] of wanted.entries()) {
    const value = given[i] ?? "";
    if (piece.startsWith(":")) params[piece.slice(1)] = decode(value);
    else if (piece !== value) return null;
  }
  return params;
}

/** The first route whose pattern fits. */
export function find<R extends { readonly path: string }>(
  routes: readonly R[],
  path: string,
): { readonly route: R; readonly params: Params } | null {
  for (const route of routes) {
    const params = match(route.path, path);
    if (params !== null) return { route, params };
  }
  return null;
}

/** Go to a path of this app. */
export function navigate(
  to: string,
  {
    replace = false,
    keepsPlace = false,
    flash,
  }: { replace?: boolean; keepsPlace?: boolean; flash?: Flash } = {},
): void {
  const from = replace ? cameFrom() : snapshot();
  const state = { ...(flash !== undefined && { flash }), ...(from !== undefined && { from }) };
  if (replace) history.replaceState(state, "", to);
  else history.pushState(state, "", to);
  if (!keepsPlace) document.documentElement.scrollTop = 0;
  moved();
}

export function useLocation(): { readonly path: string; readonly search: URLSearchParams } {
  const address = useSyncExternalStore(subscribe, snapshot);
  const end = address.indexOf("?");
  if (end < 0) return { path: address, search: new URLSearchParams() };
  return { path: address.slice(0, end), search: new URLSearchParams(address.slice(end)) };
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

export function Link({
  to,
  onClick,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlain(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}

export function Redirect({ to }: { readonly to: string }) {
  useEffect(() => {
    navigate(to, { replace: true });
  }, [to]);
  return null;
}

/** A click that asks for nothing but to go there: no new tab, no new window, no download. */
function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) window.addEventListener("popstate", moved);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("popstate", moved);
  };
}

function moved(): void {
  hasMoved = true;
  leftFrom = document.activeElement;
  for (const listener of [...listeners]) listener();
}

function cameFrom(): string | undefined {
  return (history.state as { from?: string } | null)?.from;
}

function snapshot(): string {
  return location.pathname + location.search;
}

function pieces(path: string): string[] {
  return path.split("/").filter((piece) => piece !== "");
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
