/** Whether a page is still the same: what stands behind the hash is a place in it. */
export function isSamePage(url: string, other: string): boolean {
  return withoutHash(url) === withoutHash(other);
}

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}
