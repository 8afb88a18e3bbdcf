/** What is kept in the browser's own storage: one accessor per key. Nothing is ever put into `sync`. */
import { browser } from "@wxt-dev/browser";
import type { Pause } from "../automatic/pauses";
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

/** What the account says about the person, as last received from the server. */
export interface Person {
  readonly language: string;
  readonly timezone: string;
}

/** Domains that are to be excluded, or no longer: the server doesn't know yet. */
export type ExclusionChanges = Readonly<Record<string, "add" | "remove">>;

/** A notice that was shown; `at`: when it came, by the server's clock. */
export interface ShownNotice {
  readonly id: string;
  readonly at: number;
  readonly url: string | null;
}

/** Whose inbox is shown, and how far: nothing up to `since`, which is null before the first answer. No poll before `retryAt`. */
export interface Inbox {
  readonly owner: string;
  readonly since: number | null;
  readonly shown: readonly ShownNotice[];
  readonly failures: number;
  readonly retryAt: number;
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
    return (await this.stored()) ?? this.fallback;
  }

  /** Undefined if nothing was ever stored. */
  async stored(): Promise<T | undefined> {
    return (await browser.storage[this.area].get(this.key))[this.key] as T | undefined;
  }

  async set(value: T): Promise<void> {
    await browser.storage[this.area].set({ [this.key]: value });
  }
}

/** Settings that were added later have their defaults. */
class SettingsItem extends Item<Settings> {
  override async get(): Promise<Settings> {
    return { ...DEFAULT_SETTINGS, ...(await this.stored()) };
  }

  async change(changes: Partial<Settings>): Promise<void> {
    await this.set({ ...(await this.get()), ...changes });
  }
}

export const account = new Item<Account | null>("local", "account", null);
export const connecting = new Item<Connecting | null>("local", "connecting", null);
export const settings = new SettingsItem("local", "settings", DEFAULT_SETTINGS);
export const person = new Item<Person | null>("local", "person", null);
/** The domains that the account excludes, as last received from the server. */
export const accountExcluded = new Item<readonly string[]>("local", "accountExcluded", []);
export const exclusionChanges = new Item<ExclusionChanges>("local", "exclusionChanges", {});
/** Domains that the server does not accept: they stay in `settings.excluded`. */
export const refusedDomains = new Item<readonly string[]>("local", "refusedDomains", []);
export const inbox = new Item<Inbox | null>("local", "inbox", null);
export const pause = new Item<Pause | null>("local", "pause", null);
/** When the user was last there since stopping a session; null if the next page may begin one by itself. */
export const held = new Item<number | null>("session", "held", null);
/** When the account was last asked for its settings. */
export const syncedAt = new Item<number>("session", "syncedAt", 0);
/** Cleared when the browser closes: if it is missing, every tab has a new id. */
export const isSameRun = new Item<boolean>("session", "isSameRun", false);
