/** Addresses that open a page at a text (`#:~:text=`), and let the browser mark it there. Pure. */

const LONGEST_WHOLE = 120; // characters; of a longer text only its beginning and its end are named
const EDGE_WORDS = 6;
const LONGEST_PART = 300; // a text without spaces can't be cut where a word ends
const LONE_SURROGATE = /\p{Surrogate}/gu; // can’t be part of an address

/** A page without a fragment of its own gets one; a route of an app (`#/inbox`) stays in front. */
export function addressAt(url: string, text: string): string {
  const parts = partsOf(text);
  if (parts.some(({ length }) => length === 0 || length > LONGEST_PART)) return url;
  const directive = `:~:text=${parts.map(encode).join(",")}`;
  return url.includes("#") ? `${url}${directive}` : `${url}#${directive}`;
}

/** A single piece has to stand in one paragraph of the page; a beginning and an end may be paragraphs apart. */
function partsOf(text: string): readonly string[] {
  const lines = text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const words = lines.map((line) => line.split(/\s+/));
  const first = words[0] ?? [];
  const last = words.at(-1) ?? [];
  const isWhole = lines.length <= 1 && (text.length <= LONGEST_WHOLE || first.length <= 2 * EDGE_WORDS);
  if (isWhole) return [first.join(" ")];
  return [first.slice(0, EDGE_WORDS).join(" "), last.slice(-EDGE_WORDS).join(" ")];
}

/** Hyphens have a meaning in a directive. */
function encode(part: string): string {
  return encodeURIComponent(part.replace(LONE_SURROGATE, "\ufffd")).replaceAll("-", "%2D");
}
