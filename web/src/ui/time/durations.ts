/**
 * How long something lasted: in words to be read, or exact to the millisecond. Words are rounded once, from the
 * milliseconds, to the nearest of the smallest unit that is shown. `src/mindhit/durations.py` has the same rule for the
 * command line.
 */
import type { TFunction } from "../../i18n/translate";

const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Two units at most: 1 h 12 min, 4 min 5 s, 3.4 s, 240 ms. */
export function inWords(ms: number, t: TFunction): string {
  if (ms < SECOND) return t("ui.duration.ms", { n: Math.round(ms) });
  const tenths = rounded(ms, SECOND / 10);
  if (tenths < 100) return t("ui.duration.s", { n: (tenths / 10).toFixed(1) });
  const total = rounded(ms, SECOND);
  if (total < 60) return t("ui.duration.s", { n: total });
  if (total >= HOUR / SECOND) return minutesInWords(inMinutes(ms), t);
  const minutes = t("ui.duration.min", { n: Math.floor(total / 60) });
  return total % 60 === 0 ? minutes : `${minutes} ${t("ui.duration.s", { n: total % 60 })}`;
}

/** Without seconds: 1 h 12 min, 4 min; what rounds to nothing is `< 1 min`. */
export function inHours(ms: number, t: TFunction): string {
  return ofMinutes(inMinutes(ms), ms, t);
}

/** The words of full minutes that were rounded together with others (`adding-up.ts`); `ms` is what they stand for. */
export function ofMinutes(minutes: number, ms: number, t: TFunction): string {
  return minutes === 0 && ms > 0 ? t("ui.duration.underMinute") : minutesInWords(minutes, t);
}

export function inMinutes(ms: number): number {
  return rounded(ms, MINUTE);
}

/** To the nearest, halves up. */
function rounded(ms: number, unit: number): number {
  return Math.floor(ms / unit + 0.5);
}

function minutesInWords(total: number, t: TFunction): string {
  const minutes = total % 60;
  if (total < 60) return t("ui.duration.min", { n: total });
  const hours = t("ui.duration.h", { n: Math.floor(total / 60) });
  return minutes === 0 ? hours : `${hours} ${t("ui.duration.min", { n: minutes })}`;
}

/** A clock that runs: 0:04, 12:05, 1:02:03. */
export function ticking(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** 1:02:03.456 */
export function exactly(ms: number): string {
  return `${ticking(ms)}.${String(Math.floor(ms) % SECOND).padStart(3, "0")}`;
}
