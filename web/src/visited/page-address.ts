/** Where the app shows a page with all that was recorded of it. */
export function pageAddress(urlId: string): string {
  return `/pages/${urlId}`;
}
