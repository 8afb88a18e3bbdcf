/** Domains as people write them down: one, or a pasted list, with or without `https://`, `www.`, `*.` and paths. */

export interface Understood {
  readonly domains: readonly string[];
  /** As typed. */
  readonly rejected: readonly string[];
}

export function readDomains(text: string): Understood {
  const domains = new Set<string>();
  const rejected: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    if (word === "") continue;
    const domain = domainOf(word);
    if (domain === null) rejected.push(word);
    else domains.add(domain);
  }
  return { domains: [...domains], rejected };
}

/** A bare word is rather a slip than a machine's name, so one without a dot needs its `http://`. */
export function domainOf(word: string): string | null {
  const isUrl = word.includes("://");
  const bare = word.replace(/^\*?\./, "");
  let url: URL;
  try {
    url = new URL(isUrl ? word : `https://${bare}`);
  } catch {
    return null;
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== "") return null;
  const host = url.hostname.replace(/\.$/, "").replace(/^www\.(?=.*\.)/, "");
  if (host.startsWith("[")) return host;
  if (!isUrl && !host.includes(".") && host !== "localhost") return null;
  return host.length <= 253 && host.split(".").every(isLabel) ? host : null;
}

function isLabel(label: string): boolean {
  return /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label);
}
