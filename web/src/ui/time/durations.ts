/** How long something lasted: in words to be read, or exact to the millisecond. */
import type { TFunction } from "i18next";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Two units at most: 1 h 12 min, 4 min 5 s, 3.4 s, 240 ms. */
export function inWords(ms: number, t: TFunction): string {
  if (ms < 1_000) return t("ui.duration.ms", { n: Math.round(ms) });
  if (ms < 10_000) return t("ui.duration.s", { n: (Math.floor(ms / 100) / 10).toFixed(1) });
  if (ms < MINUTE) return t("ui.duration.s", { n: Math.floor(ms / 1_000) });
  if (ms < HOUR) {
    const seconds = Math.floor((ms % MINUTE) / 1_000);
    const minutes = t("ui.duration.min", { n: Math.floor(ms / MINUTE) });
    return seconds === 0 ? minutes : `${minutes} ${t("ui.duration.s", { n: seconds })}`;
  }
  return inHours(ms, t);
}

/** Without seconds, for sums: 1 h 12 min, 4 min. */
export function inHours(ms: number, t: TFunction): string {
  const total = Math.floor(ms / MINUTE);
  const minutes = total % 60;
  if (total === 0) return ms < 1_000 ? t("ui.duration.none") : t("ui.duration.underMinute");
  if (total < 60) return t("ui.duration.min", { n: total });
  const hours = t("ui.duration.h", { n: Math.floor(total / 60) });
  return minutes === 0 ? hours : `${hours} ${t("ui.duration.min", { n: minutes })}`;
}

/** A clock that runs: 0:04, 12:05, 1:02:03. */
export function ticking(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** 1:02:03.456 */
export function exactly(ms: number): string {
  return `${ticking(ms)}.${String(Math.floor(ms) % 1_000).padStart(3, "0")}`;
}
