/** Formats durations, times and sizes. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

export function dateTime(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

export function bytes(count: number, language: string): string {
  const [unit, size] =
    count < 1_000_000 ? (["kilobyte", 1_000] as const) : (["megabyte", 1_000_000] as const);
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(
    count / size,
  );
}
