/** Labels that fit: whole letters, and an ellipsis where something was left out. Pure. */

/** Fewer letters than this say nothing. */
const FEWEST = 3;
/** More is never drawn, and would only be measured. */
const MOST = 120;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** As much of the text as `room` has place for; nothing where that would be a stump. */
export function fitted(text: string, room: number, widthOf: (text: string) => number): string {
  const whole = Array.from(letters.segment(text.slice(0, 4 * MOST)), ({ segment }) => segment);
  if (whole.length <= MOST && text.length <= 4 * MOST && widthOf(text) <= room) return text;
  let low = 0;
  let high = Math.min(whole.length - 1, MOST);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(cut(whole, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return low < FEWEST ? "" : cut(whole, low);
}

function cut(whole: readonly string[], count: number): string {
  return `${whole.slice(0, count).join("").trimEnd()}…`;
}
