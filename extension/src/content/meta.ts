/** What a page says of itself in its head. */
import type { PageMeta } from "../capture/model";
import { collapse, cutAll } from "../capture/text";

export function metaOf(page: Document, url: string): PageMeta {
  const said = (selector: string, attribute = "content") => {
    const text = page.querySelector(selector)?.getAttribute(attribute);
    return text ? collapse(text) : undefined;
  };
  const linked = (selector: string, attribute = "href") => absolute(said(selector, attribute), url);
  return cutAll({
    title: collapse(page.title),
    description: said('meta[name="description" i]') ?? said('meta[property="og:description"]'),
    ogImage: linked('meta[property="og:image"]', "content"),
    ogTitle: said('meta[property="og:title"]'),
    language: page.documentElement.lang.trim(),
    canonical: linked('link[rel~="canonical" i]'),
    favicon: linked('link[rel~="icon" i]'),
  });
}

/** The address that a page means, if it is one of the web. */
function absolute(link: string | undefined, url: string): string | undefined {
  if (!link || !URL.canParse(link, url)) return undefined;
  const { protocol, href } = new URL(link, url);
  return protocol === "http:" || protocol === "https:" ? href : undefined;
}
