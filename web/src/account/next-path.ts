/** Where to go after signing in. The address bar is written by anyone, so only paths of this very app count. */

const HOME = "/";

/** `wanted` if it is a path of this app, else home. */
export function safeNext(wanted: string | null): string {
  if (wanted === null || !isPath(wanted)) return HOME;
  let target: URL;
  try {
    target = new URL(wanted, location.origin);
  } catch {
    return HOME;
  }
  const path = target.pathname + target.search + target.hash;
  // Once more: "/.//evil.test" is a path whose normal form is not.
  return target.origin === location.origin && isPath(path) ? path : HOME;
}

/** The sign-in screen, which leads back to where the person is now. */
export function signInPath(): string {
  const here = location.pathname + location.search + location.hash;
  return here === HOME ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`;
}

/** One slash and no second one; browsers read a backslash as a slash and skip control characters. */
function isPath(text: string): boolean {
  return /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(text);
}
