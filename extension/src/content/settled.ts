/** Wait until a page has come to rest: nothing changed for a moment, or it has taken too long. */
export interface Patience {
  readonly quietMs: number;
  readonly mostMs: number;
}

export function settled(page: Document, { quietMs, mostMs }: Patience, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect();
      clearTimeout(quiet);
      clearTimeout(latest);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const observer = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    });
    let quiet = setTimeout(end, quietMs);
    const latest = setTimeout(end, mostMs);
    signal.addEventListener("abort", end);
    observer.observe(page, { childList: true, subtree: true, characterData: true });
  });
}
