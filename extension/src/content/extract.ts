/**
 * The text of a page: what Readability finds in a copy of the document; where it finds nothing, the places where pages
 * usually have it; and at last the body without what surrounds a text.
 */
import { Readability } from "@mozilla/readability";
import type { PageMeta } from "../capture/model";
import { collapse, cut, MAX_CONTENT } from "../capture/text";
import { metaOf } from "./meta";
import { plainText } from "./plain";

export interface Extract {
  readonly content: string;
  readonly extractionOk: boolean;
  readonly meta: PageMeta;
}

const ENOUGH = 100;
/** A place has to hold so much to be taken for the page's text. */
const A_TEXT = 200;
/** Copying and scoring more than this takes longer than a reader should feel. */
const MOST_ELEMENTS = 20_000;
const PLACES = [
  "article",
  "main",
  '[role="main"]',
  ".post-content",
  ".article-content",
  ".entry-content",
  "#content",
];
const SURROUNDINGS =
  "script, style, noscript, template, svg, nav, header, footer, aside, form, dialog, iframe";

export function extract(page: Document, url: string): Extract {
  const meta = metaOf(page, url);
  const content = cut(textOf(page), MAX_CONTENT);
  return { content, extractionOk: content.length > ENOUGH, meta };
}

/** Uncut. */
export function textOf(page: Document): string {
  const isSmall = page.getElementsByTagName("*").length <= MOST_ELEMENTS;
  const read = isSmall ? readable(page) : "";
  return read.length > ENOUGH ? read : longer(read, fromPlaces(page));
}

/** Readability takes its document apart, so it gets a copy. */
export function readable(page: Document): string {
  try {
    const copy = page.cloneNode(true) as Document;
    const article = new Readability<Node>(copy, { serializer: (element) => element }).parse();
    return article?.content ? collapse(plainText(article.content)) : "";
  } catch {
    return ""; // a document that it cannot read
  }
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one;
}

/** The first of the usual places that holds a text, else what is left of the body without its surroundings. */
export function fromPlaces(page: Document): string {
  for (const place of PLACES) {
    const found = page.querySelector(place);
    const text = found === null ? "" : collapse(plainText(found));
    if (text.length > A_TEXT) return text;
  }
  const body = page.body as HTMLElement | null;
  if (body === null) return "";
  const copy = body.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(SURROUNDINGS)) element.remove();
  return collapse(plainText(copy));
}
