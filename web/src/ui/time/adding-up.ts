/**
 * Durations that are shown together, rounded so that they add up. Pure.
 *
 * Rounded one by one, the parts of a chart give another sum than its total. So the total is rounded, and its parts
 * share it by largest remainder: each is its own number rounded down or up, and a longer one is never shown as shorter.
 */

/** Full units for each part; together they are `total`, by default the sum of the parts rounded to the nearest. */
export function roundParts(parts: readonly number[], unit: number, total?: number): readonly number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  const full = parts.map((part) => Math.floor(part / unit));
  const missing = (total ?? Math.floor(sum / unit + 0.5)) - full.reduce((all, part) => all + part, 0);
  const byRemainder = [...parts.keys()].sort(
    (one, other) => ((parts[other] ?? 0) % unit) - ((parts[one] ?? 0) % unit) || one - other,
  );
  const raised = new Set(byRemainder.slice(0, missing));
  return full.map((part, index) => part + (raised.has(index) ? 1 : 0));
}
