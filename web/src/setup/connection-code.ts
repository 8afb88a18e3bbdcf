/** The code that an extension shows, e.g. BCDF-GHJK: as people type it, in one spelling. Empty if it is none. */
export function codeOf(typed: string | undefined): string {
  const letters = (typed ?? "").toUpperCase().replace(/[\s\p{Pd}]/gu, "");
  return /^[A-Z0-9]{8}$/.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : "";
}
