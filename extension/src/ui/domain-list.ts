/** Lists of domains as people type them: one per line, or separated by commas. */
import { parseDomain } from "../capture/exclusions";

/** `invalid` is the first entry that isn't a domain. */
export function parseDomainList(text: string): { domains: string[]; invalid: string | null } {
  const entries = text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
  const invalid = entries.find((entry) => parseDomain(entry) === null) ?? null;
  return { domains: [...new Set(entries.flatMap((entry) => parseDomain(entry) ?? []))].sort(), invalid };
}
