/** What the user can change, and the defaults. Stored under these names. */
import { DEFAULT_IDLE_S } from "../idle";

export interface Settings {
  /** Domains that are excluded in this browser and not yet in the account; see `background/exclusions.ts`. */
  readonly excluded: readonly string[];
  /** Only these are recorded; null: all. */
  readonly only: readonly string[] | null;
  readonly idleAfterS: number;
  /** Whether text that stays selected for a moment becomes a highlight. Explained before it is turned on. */
  readonly marksSelection: boolean;
  /** Whether sessions begin and end by themselves; see `automatic/rules.ts`. */
  readonly isAutomatic: boolean;
  /** Whether the pages of the connected MindHit server are recorded as well. */
  readonly recordsOwnServer: boolean;
  /** Whether notices are shown as notifications; see `background/inbox.ts`. */
  readonly showsNotices: boolean;
  /** Whether highlights are painted when their page is visited again; see `background/repaint.ts`. */
  readonly paintsHighlights: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  excluded: [],
  only: null,
  idleAfterS: DEFAULT_IDLE_S,
  marksSelection: false,
  isAutomatic: false,
  recordsOwnServer: false,
  showsNotices: false,
  paintsHighlights: false,
};

/** Until version 0.1 it was on unless it was turned off, and nothing was stored until something was changed. */
export const SETTINGS_OF_0_1: Settings = { ...DEFAULT_SETTINGS, marksSelection: true };
