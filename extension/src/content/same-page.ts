/** Whether two URLs are the same page: the fragment is a position in it. */
export function isSamePage(url: string, other: string): boolean {
  return withoutFragment(url) === withoutFragment(other);
}

function withoutFragment(url: string): string {
  return url.split("#", 1)[0] ?? url;
}
