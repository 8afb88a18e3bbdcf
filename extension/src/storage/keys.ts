/** What is kept in the browser's own storage: one accessor for each key. Nothing is ever put into `sync`. */
import { browser } from "@wxt-dev/browser";
import type { Account } from "../outbox/account";

export interface Settings {
  /** Domains that are never recorded. */
  readonly excluded: readonly string[];
  /** Only these are recorded; null: all. */
  readonly only: readonly string[] | null;
  readonly idleAfterS: number;
  /** Whether text that is selected for a moment is a highlight. */
  readonly marksSelection: boolean;
}

/** A request to be connected that nobody has answered yet. */
export interface Connecting {
  readonly server: string;
  readonly deviceCode: string;
  readonly userCode: string;
  readonly url: string;
  readonly expiresAt: number;
  readonly intervalMs: number;
}

export const DEFAULT_SETTINGS: Settings = { excluded: [], only: null, idleAfterS: 60, marksSelection: true };

class Item<T> {
  readonly key: string;
  private readonly area: "local" | "session";
  private readonly otherwise: T;

  constructor(area: "local" | "session", key: string, otherwise: T) {
    this.area = area;
    this.key = key;
    this.otherwise = otherwise;
  }

  async get(): Promise<T> {
    const found = (await browser.storage[this.area].get(this.key))[this.key] as T | undefined;
    return found ?? this.otherwise;
  }

  async set(value: T): Promise<void> {
    await browser.storage[this.area].set({ [this.key]: value });
  }
}

export const account = new Item<Account | null>("local", "account", null);
export const connecting = new Item<Connecting | null>("local", "connecting", null);
export const settings = new Item<Settings>("local", "settings", DEFAULT_SETTINGS);
/** The domains that the account excludes, as last heard from the server. */
export const accountExcluded = new Item<readonly string[]>("local", "accountExcluded", []);
/** Gone with the browser that set it: where it is missing, every tab has a new id. */
export const isSameRun = new Item<boolean>("session", "isSameRun", false);
