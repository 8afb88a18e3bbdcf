/** What the user can change, and the defaults. Stored under these names. */
import { DEFAULT_IDLE_S } from "../idle";

export interface Settings {
  /** Domains that are never recorded. */
  readonly excluded: readonly string[];
  /** Only these are recorded; null: all. */
  readonly only: readonly string[] | null;
  readonly idleAfterS: number;
  /** Whether text that stays selected for a moment becomes a highlight. */
  readonly marksSelection: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  excluded: [],
  only: null,
  idleAfterS: DEFAULT_IDLE_S,
  marksSelection: true,
};
