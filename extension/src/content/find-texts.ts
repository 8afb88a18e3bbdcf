/**
 * Finds texts in a page. White space doesn't count: what was selected across paragraphs has a space where the page has
 * none, and a page may be laid out differently the next time.
 */
const NOT_SHOWN = "script, style, noscript, template, textarea, select, option, title";
const SPACE = /\s+/g;

/** Where each text stands first; null for one that isn't there. */
export function findTexts(page: Document, texts: readonly string[]): (Range | null)[] {
  const { text, pieces } = read(page);
  return texts.map((each) => {
    const wanted = each.replace(SPACE, "");
    const at = wanted === "" ? -1 : text.indexOf(wanted);
    return at < 0 ? null : rangeOf(page, pieces, at, at + wanted.length);
  });
}

interface Piece {
  readonly node: Text;
  /** Where its text begins in that of the page. */
  readonly from: number;
}

function read(page: Document): { readonly text: string; readonly pieces: readonly Piece[] } {
  const pieces: Piece[] = [];
  const texts: string[] = [];
  let from = 0;
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest(NOT_SHOWN)) continue;
    const bare = (node as Text).data.replace(SPACE, "");
    if (bare === "") continue;
    pieces.push({ node: node as Text, from });
    texts.push(bare);
    from += bare.length;
  }
  return { text: texts.join(""), pieces };
}

function rangeOf(page: Document, pieces: readonly Piece[], from: number, to: number): Range {
  const range = page.createRange();
  const [first, last] = [pieceAt(pieces, from), pieceAt(pieces, to - 1)];
  if (first) range.setStart(first.node, offsetIn(first, from));
  if (last) range.setEnd(last.node, offsetIn(last, to - 1) + 1);
  return range;
}

/** The last one that begins by then. */
function pieceAt(pieces: readonly Piece[], at: number): Piece | undefined {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.from ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

/** The place in the node of a letter that is counted without white space. */
function offsetIn({ node, from }: Piece, at: number): number {
  let left = at - from;
  for (let offset = 0; offset < node.data.length; offset++) {
    if (/\s/.test(node.data.charAt(offset))) continue;
    if (left === 0) return offset;
    left -= 1;
  }
  return node.data.length;
}
