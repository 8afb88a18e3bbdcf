/** The browsers that the extension runs in, where each of them loads it, and which of them this one is. */

export const BROWSERS = {
  chrome: { name: "Chrome", page: "chrome://extensions", build: "chrome" },
  edge: { name: "Edge", page: "edge://extensions", build: "chrome" },
  brave: { name: "Brave", page: "brave://extensions", build: "chrome" },
  firefox: { name: "Firefox", page: "about:debugging#/runtime/this-firefox", build: "firefox" },
} as const;

export type BrowserName = keyof typeof BROWSERS;
export const BROWSER_NAMES = Object.keys(BROWSERS) as readonly BrowserName[];

/** Brave calls itself Chrome, but has a `navigator.brave`. */
export function browserOf(userAgent: string, hasBrave: boolean): BrowserName {
  if (hasBrave) return "brave";
  if (userAgent.includes("Firefox/")) return "firefox";
  return userAgent.includes("Edg/") ? "edge" : "chrome";
}

export function thisBrowser(): BrowserName {
  return browserOf(navigator.userAgent, "brave" in navigator);
}
