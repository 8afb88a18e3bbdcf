/** Where a page can be watched from: any visit, any saved page. */
export function watchAddress(url: string, name: string | null): string {
  const asked = new URLSearchParams({ url });
  if (name !== null && name !== "") asked.set("name", name.slice(0, LONGEST_NAME));
  return `/shops/add?${asked.toString()}`;
}

const LONGEST_NAME = 200;
