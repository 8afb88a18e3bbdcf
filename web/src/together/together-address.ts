/** The address of the view of several sessions: it can be bookmarked, and survives a reload. */
export const MOST_TOGETHER = 30;

export function togetherAddress(ids: readonly string[]): string {
  return `/together?${new URLSearchParams({ sessions: ids.join(",") }).toString()}`;
}

export function idsIn(search: URLSearchParams): readonly string[] {
  const ids = (search.get("sessions") ?? "").split(",").filter((id) => /^[0-9a-f-]{36}$/.test(id));
  return [...new Set(ids)].slice(0, MOST_TOGETHER);
}
