// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { extract, fromSelectors } from "./extract";
import { plainText } from "./plain-text";
import { isSensitive } from "./sensitive-pages";

const URL_ = "https://news.example/story?id=1";
const SENTENCE =
  "The ferry to the island leaves every morning at seven, and it has done so for forty years. ";

function page(body: string, head = ""): Document {
  return new DOMParser().parseFromString(
    `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`,
    "text/html",
  );
}

describe("text", () => {
  test("an article is found among navigation and footer", () => {
    const paragraphs = Array.from({ length: 8 }, (_, index) => `<p>${index}. ${SENTENCE.repeat(3)}</p>`).join(
      "",
    );
    const { content, extractionOk } = extract(
      page(`<nav><a href="/">Home</a> <a href="/all">All the news</a></nav>
        <article><h1>The ferry</h1>${paragraphs}</article><footer>Imprint and cookies</footer>`),
      URL_,
    );
    expect(extractionOk).toBe(true);
    expect(content).toContain("0. The ferry to the island");
    expect(content).toContain("7. The ferry");
    expect(content).not.toContain("cookies");
    expect(content).not.toMatch(/\s\s/);
  });

  test("a page without an article falls back to usual elements, then to its body", () => {
    expect(fromSelectors(page(`<div id="content">${SENTENCE.repeat(4)}</div><div>more</div>`))).not.toContain(
      "more",
    );
    expect(fromSelectors(page(`<nav>menu</nav><div>short <b>but</b> ours</div><script>x()</script>`))).toBe(
      "short but ours",
    );
  });

  test("a hundred characters count as a failed extraction", () => {
    expect(extract(page("<p>almost nothing</p>"), URL_).extractionOk).toBe(false);
    expect(extract(page(""), URL_)).toMatchObject({ content: "", extractionOk: false });
  });

  test("a long text is cut", () => {
    expect(extract(page(`<article><p>${SENTENCE.repeat(300)}</p></article>`), URL_).content).toHaveLength(
      10_000,
    );
  });

  test("blocks are separated, and inline text is not", () => {
    const text = plainText(page("<p>one</p><p>t<b>w</b>o</p><ul><li>three<li>four</ul><br>five").body);
    expect(text.split(/\s+/).filter(Boolean)).toEqual(["one", "two", "three", "four", "five"]);
  });

  test("text in form fields is not extracted", () => {
    const form = '<textarea>my draft</textarea><select><option>my choice</select><input value="mine">';
    expect(extract(page(`<main>${SENTENCE.repeat(4)}${form}</main>`), URL_).content).not.toMatch(/my|mine/);
    expect(fromSelectors(page(`<div>short${form}</div>`))).toBe("short");
  });

  test("the page itself is not modified", () => {
    const before = page(`<article>${`<p>${SENTENCE}</p>`.repeat(9)}</article><aside>beside</aside>`);
    const html = before.documentElement.outerHTML;
    extract(before, URL_);
    expect(before.documentElement.outerHTML).toBe(html);
  });
});

test("metadata", () => {
  const head = `<title> The
    ferry </title><meta name="Description" content="A boat.">
    <meta property="og:image" content="/boat.png"><meta property="og:title" content="Ferry">
    <link rel="canonical" href="https://news.example/story"><link rel="shortcut icon" href="javascript:1">`;
  expect(extract(page("<p>x</p>", head), URL_).meta).toEqual({
    title: "The ferry",
    description: "A boat.",
    ogImage: "https://news.example/boat.png",
    ogTitle: "Ferry",
    language: "en",
    canonical: "https://news.example/story",
  });
});

describe("sensitive pages", () => {
  test.each([
    '<input type="password">',
    '<input autocomplete="cc-number">',
    '<input autocomplete="billing cc-exp">',
    '<input name="cardNumber">',
    '<input autocomplete="one-time-code">',
  ])("%s", (field) => {
    expect(isSensitive(page(`<form>${field}</form>`))).toBe(true);
  });

  test("a search field is not sensitive", () => {
    expect(
      isSensitive(page('<input type="search" name="q"><iframe name="__privateStripeFrame1"></iframe>')),
    ).toBe(false);
  });
});
