/** Lists of domains as people write them: one on each line. */
import { domainOf } from "../capture/pages";

export function readDomains(text: string): { domains: string[]; bad: string | null } {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
  const bad = lines.find((line) => domainOf(line) === null) ?? null;
  return { domains: [...new Set(lines.flatMap((line) => domainOf(line) ?? []))].sort(), bad };
}
