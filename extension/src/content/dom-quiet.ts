/** Waits until a page's DOM has stopped changing for `quietMs`, or for `atMostMs`. */
export interface QuietLimits {
  readonly quietMs: number;
  readonly atMostMs: number;
}

export function untilQuiet(
  page: Document,
  { quietMs, atMostMs }: QuietLimits,
  signal: AbortSignal,
): Promise<void> {
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
    const latest = setTimeout(end, atMostMs);
    signal.addEventListener("abort", end);
    observer.observe(page, { childList: true, subtree: true, characterData: true });
  });
}
