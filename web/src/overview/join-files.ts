/** Exports of several sessions as one file. Pure. */
import type { Format } from "../session/api";

export interface SessionFile {
  readonly session: string;
  readonly text: string;
}

export function joinFiles(format: Format, files: readonly SessionFile[]): string {
  const texts = files.map(({ text }) => text);
  if (format === "json") return `[${texts.join(",\n")}]\n`;
  if (format === "md") return texts.map((text) => text.trim()).join("\n\n---\n\n") + "\n";
  // Excel wants the byte order mark, which reading a file as text takes away; the columns are named once.
  const [columns = "", ...rows] = files.flatMap(({ session, text }, n) => {
    const [head = "", ...records] = recordsOf(text.replace(/^\uFEFF/, ""));
    const named = records.map((record) => `${session},${record}`);
    return n === 0 ? [`session_id,${head}`, ...named] : named;
  });
  return `\uFEFF${[columns, ...rows].join("")}`;
}

/** Each with its line break; one that is quoted ends no record. */
function recordsOf(csv: string): readonly string[] {
  return csv.match(/(?:"[^"]*"|[^"\n])+\n/g) ?? [];
}
