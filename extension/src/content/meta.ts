/** Metadata from the page's head. */
import type { PageMeta } from "@mindhit/client";
import { collapse, cutAll } from "../capture/text";

export function metaOf(page: Document, url: string): PageMeta {
  const attributeOf = (selector: string, attribute = "content") => {
    const text = page.querySelector(selector)?.getAttribute(attribute);
    return text ? collapse(text) : undefined;
  };
  const linkOf = (selector: string, attribute = "href") => absolute(attributeOf(selector, attribute), url);
  return cutAll({
    title: collapse(page.title),
    description: attributeOf('meta[name="description" i]') ?? attributeOf('meta[property="og:description"]'),
    ogImage: linkOf('meta[property="og:image"]', "content"),
    ogTitle: attributeOf('meta[property="og:title"]'),
    language: page.documentElement.lang.trim(),
    canonical: linkOf('link[rel~="canonical" i]'),
    favicon: linkOf('link[rel~="icon" i]'),
  });
}

/** The absolute URL of a link, if it is http(s). */
function absolute(link: string | undefined, url: string): string | undefined {
  if (!link || !URL.canParse(link, url)) return undefined;
  const { protocol, href } = new URL(link, url);
  return protocol === "http:" || protocol === "https:" ? href : undefined;
}
