/** Visits put together by page, the longest first. Pure. */
import type { Visit } from "./api";

export interface Page {
  readonly urlId: string;
  readonly url: string;
  readonly domain: string;
  readonly title: string | null;
  readonly favicon: string | null;
  readonly summary: string | null;
  readonly keywords: readonly string[];
  readonly ms: number;
  readonly visits: number;
  readonly firstVisit: string;
}

/** Only visits in focus count as time. */
export function pagesOf(visits: readonly Visit[]): readonly Page[] {
  const pages = new Map<string, Page>();
  for (const visit of visits) {
    const page = pages.get(visit.url_id);
    const ms = visit.is_focused ? visit.duration_ms : 0;
    pages.set(visit.url_id, {
      urlId: visit.url_id,
      url: page?.url ?? visit.url,
      domain: visit.domain,
      title: page?.title ?? visit.title,
      favicon: page?.favicon ?? visit.favicon,
      summary: page?.summary ?? visit.summary,
      keywords: page && page.keywords.length > 0 ? page.keywords : visit.keywords,
      ms: (page?.ms ?? 0) + ms,
      visits: (page?.visits ?? 0) + 1,
      firstVisit: page?.firstVisit ?? visit.id,
    });
  }
  return [...pages.values()].sort((one, other) => other.ms - one.ms);
}
