const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** As people write it: 12 MB. */
export function inBytes(count: number, locale: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), UNITS.length - 1);
  const unit = UNITS[power] ?? "byte";
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    maximumFractionDigits: power > 2 ? 1 : 0,
  }).format(count / 1000 ** power);
}
