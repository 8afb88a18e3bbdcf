/** Whether two URLs are the same page. A fragment is a position in it, unless it is a route of an application. */
export function isSamePage(url: string, other: string): boolean {
  return withoutPosition(url) === withoutPosition(other);
}

function withoutPosition(url: string): string {
  return url.replace(/#(?![/!]).*$/s, "");
}
