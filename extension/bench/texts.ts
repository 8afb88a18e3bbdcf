/**
 * Extracts texts for bench/extraction.py. Each input line is a page's HTML as a JSON string; each output line has the text
 * that our extraction, plain Readability and plain selectors find in it.
 */
import { createInterface } from "node:readline";
import { Readability } from "@mozilla/readability";
import { JSDOM, VirtualConsole } from "jsdom";
import { extract, textOf } from "../src/content/extract";

const URL = "https://page.example/";
const SELECTORS = [
  "article",
  "main",
  '[role="main"]',
  ".post-content",
  ".article-content",
  ".entry-content",
  "#content",
];
const STYLES = /<style\b[^>]*>.*?<\/style>/gis;
// Discards its warnings.
const virtualConsole = new VirtualConsole();

/** jsdom fails on some style sheets; such a page is read without them. */
function pageOf(html: string): Document {
  try {
    return new JSDOM(html, { url: URL, virtualConsole }).window.document;
  } catch {
    return new JSDOM(html.replace(STYLES, ""), { url: URL, virtualConsole }).window.document;
  }
}

function bySelectors(page: Document): string {
  for (const selector of SELECTORS) {
    const text = page.querySelector(selector)?.textContent ?? "";
    if (text.length > 200) return text;
  }
  return page.body.textContent;
}

for await (const line of createInterface({ input: process.stdin })) {
  const html = JSON.parse(line) as string;
  const page = pageOf(html);
  const began = performance.now();
  const { content } = extract(page, URL);
  const ms = performance.now() - began;
  const texts = {
    ours: textOf(page),
    sent: content,
    selectors: bySelectors(page),
    readability: new Readability(pageOf(html)).parse()?.textContent ?? "",
    ms,
  };
  process.stdout.write(`${JSON.stringify(texts)}\n`);
}
