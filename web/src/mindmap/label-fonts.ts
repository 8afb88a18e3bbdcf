/**
 * How large labels are written. The server has counted their lines with a font of its own; where the browser's is so much
 * wider that a label would need a line more than its node has room for, labels are written smaller.
 */
import type { MapNode } from "./api";

export type LabelFonts = Readonly<Record<MapNode["type"], number>>;

/** In pixels, as the server counts them (`insight/mindmap/label_sizes.py`). */
const SIZES: LabelFonts = { root: 19, topic: 15, subtopic: 13, keyword: 12 };
/** As the stylesheet has them. */
const WEIGHTS: LabelFonts = { root: 600, topic: 600, subtopic: 500, keyword: 500 };
const SAMPLE = "The quick brown fox jumps over the lazy dog";
/** Of the sample, in the server's font. */
const COUNTED_EM = 20.31;
/** What a node's padding takes of a wider font. */
const ROOM = 1.17;

/** `widthOf`: of a text in this weight, in em; null where nothing can be measured. */
export function labelFonts(widthOf: (text: string, weight: number) => number | null): LabelFonts {
  const sizeOf = (type: MapNode["type"]) => {
    const width = widthOf(SAMPLE, WEIGHTS[type]) ?? COUNTED_EM;
    return SIZES[type] * Math.min(1, (ROOM * COUNTED_EM) / width);
  };
  return {
    root: sizeOf("root"),
    topic: sizeOf("topic"),
    subtopic: sizeOf("subtopic"),
    keyword: sizeOf("keyword"),
  };
}

/** In the font that the app has in this browser. */
export function measured(text: string, weight: number): number | null {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return null;
  context.font = `${weight} 100px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width / 100;
}
