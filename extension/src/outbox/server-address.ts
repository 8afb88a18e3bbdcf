/** The server's address as people type it. */

/** The origin that was meant; null if it isn't an address. */
export function parseServerAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === "" || /\s/.test(text)) return null;
  const address = /^https?:\/\//i.test(text) ? text : `${schemeFor(text)}://${text}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}

/** Unencrypted only on this machine or in its own network: tokens and pages are sent there. */
function schemeFor(text: string): "http" | "https" {
  const address = `http://${text}`;
  return URL.canParse(address) && isLocal(new URL(address).hostname) ? "http" : "https";
}

/** Whether a host, as `URL` writes it, is this machine or in its own network. */
function isLocal(host: string): boolean {
  if (host.startsWith("[")) return /^\[(::1\]|f[cd])/.test(host);
  if (/^[\d.]+$/.test(host)) return /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host);
  return !host.includes(".") || host.endsWith(".localhost") || host.endsWith(".local");
}
