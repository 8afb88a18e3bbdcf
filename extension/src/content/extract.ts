/**
 * The text of a page: what Readability finds in a copy of the document; if that is too little, the elements that usually
 * hold a page's text; and finally the body without navigation, header, footer and the like.
 */
import { MAX_CONTENT, type PageMeta } from "@mindhit/client";
import { Readability } from "@mozilla/readability";
import { collapse, cut } from "../capture/text";
import { metaOf } from "./meta";
import { plainText } from "./plain-text";

export interface Extracted {
  readonly content: string;
  readonly extractionOk: boolean;
  readonly meta: PageMeta;
}

/** Fewer characters count as a failed extraction. */
const SHORTEST_TEXT = 100;
/** An element has to hold this many characters to be taken for the page's text. */
const SHORTEST_ELEMENT = 200;
/** Copying and scoring more elements takes longer than a user should feel. */
const MOST_ELEMENTS = 20_000;
const TEXT_SELECTORS = [
  "article",
  "main",
  '[role="main"]',
  ".post-content",
  ".article-content",
  ".entry-content",
  "#content",
];
const BOILERPLATE =
  "script, style, noscript, template, svg, nav, header, footer, aside, form, dialog, iframe";

export function extract(page: Document, url: string): Extracted {
  const meta = metaOf(page, url);
  const content = cut(textOf(page), MAX_CONTENT);
  return { content, extractionOk: content.length > SHORTEST_TEXT, meta };
}

/** Not cut to the limit. */
export function textOf(page: Document): string {
  const isSmall = page.getElementsByTagName("*").length <= MOST_ELEMENTS;
  const text = isSmall ? fromReadability(page) : "";
  return text.length > SHORTEST_TEXT ? text : longer(text, fromSelectors(page));
}

/** Readability modifies the document it reads, so it gets a copy. */
export function fromReadability(page: Document): string {
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

/** The first of the usual elements that holds a text, else the body without boilerplate. */
export function fromSelectors(page: Document): string {
  for (const selector of TEXT_SELECTORS) {
    const found = page.querySelector(selector);
    const text = found === null ? "" : collapse(plainText(found));
    if (text.length > SHORTEST_ELEMENT) return text;
  }
  const body = page.body as HTMLElement | null;
  if (body === null) return "";
  const copy = body.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(BOILERPLATE)) element.remove();
  return collapse(plainText(copy));
}
