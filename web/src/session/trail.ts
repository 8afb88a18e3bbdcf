/** Which page was opened from which: every page once, below the page that first led to it. Pure. */
import type { Visit } from "./api";
import { pagesOf, type Page } from "./pages";

export interface Trail {
  readonly page: Page;
  readonly opened: readonly Trail[];
}

/** In order of time. A page that no recorded page led to is a beginning. */
export function trailsOf(visits: readonly Visit[]): readonly Trail[] {
  const ordered = [...visits].sort((one, other) => one.visit_order - other.visit_order);
  const pages = new Map(pagesOf(ordered).map((page) => [page.urlId, page]));
  const known = new Map<string, Building>();
  const byAddress = new Map<string, Building>();
  const beginnings: Building[] = [];
  for (const visit of ordered) {
    let found = known.get(visit.url_id);
    const page = pages.get(visit.url_id);
    if (found === undefined && page !== undefined) {
      // Only pages that were there before can have led here, so there is no circle.
      const from = visit.came_from === null ? undefined : byAddress.get(visit.came_from);
      found = { page, opened: [] };
      known.set(visit.url_id, found);
      (from?.opened ?? beginnings).push(found);
    }
    if (found !== undefined) byAddress.set(visit.url, found);
  }
  return beginnings;
}

interface Building extends Trail {
  readonly opened: Building[];
}
