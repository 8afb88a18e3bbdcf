/** Addresses of pages that were visited. Pure. */

/** Only pages of the web are recorded; were it ever otherwise, nothing of it would be run from here. */
export function safeHref(url: string): string | undefined {
  return /^https?:\/\//i.test(url) ? url : undefined;
}

export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}
