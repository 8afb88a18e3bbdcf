/** What is kept in the browser's own storage: one accessor per key. Nothing is ever put into `sync`. */
import { browser } from "@wxt-dev/browser";
import type { Account } from "../outbox/account";
import { DEFAULT_SETTINGS, type Settings } from "./settings";

/** A connection request that nobody has approved yet. */
export interface Connecting {
  readonly server: string;
  readonly deviceCode: string;
  readonly userCode: string;
  readonly url: string;
  readonly expiresAt: number;
  readonly intervalMs: number;
}

class Item<T> {
  readonly key: string;
  private readonly area: "local" | "session";
  private readonly fallback: T;

  constructor(area: "local" | "session", key: string, fallback: T) {
    this.area = area;
    this.key = key;
    this.fallback = fallback;
  }

  async get(): Promise<T> {
    const found = (await browser.storage[this.area].get(this.key))[this.key] as T | undefined;
    return found ?? this.fallback;
  }

  async set(value: T): Promise<void> {
    await browser.storage[this.area].set({ [this.key]: value });
  }
}

export const account = new Item<Account | null>("local", "account", null);
export const connecting = new Item<Connecting | null>("local", "connecting", null);
export const settings = new Item<Settings>("local", "settings", DEFAULT_SETTINGS);
/** The domains that the account excludes, as last received from the server. */
export const accountExcluded = new Item<readonly string[]>("local", "accountExcluded", []);
/** Cleared when the browser closes: if it is missing, every tab has a new id. */
export const isSameRun = new Item<boolean>("session", "isSameRun", false);
