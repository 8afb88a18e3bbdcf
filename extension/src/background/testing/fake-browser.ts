/** For tests: a browser that outlives the extension's workers, and its extension API as one worker sees it. */
import type {
  HighlightsReply,
  HighlightsWanted,
  PageCommand,
  PageReports,
  Reply,
  Request,
} from "../../messages";

export const SERVER = "https://mindhit.example";
export const ACCOUNT = {
  server: SERVER,
  userId: "someone",
  email: "someone@example.org",
  access: "access",
  refresh: "refresh",
  expiresAt: Number.MAX_SAFE_INTEGER,
  isRefreshing: false,
  isSignedOut: false,
};
export const EXTENSION_ORIGIN = "chrome-extension://own/";

export interface FakeTab {
  readonly id: number;
  readonly windowId: number;
  readonly active: boolean;
  readonly incognito: boolean;
  readonly discarded: boolean;
  readonly url: string;
  readonly title: string;
}

export function tab(id: number, more: Partial<FakeTab> = {}): FakeTab {
  const url = `https://${id}.example/`;
  return {
    id,
    windowId: 1,
    active: false,
    incognito: false,
    discarded: false,
    url,
    title: `Tab ${id}`,
    ...more,
  };
}

/** Everything that survives when a worker is stopped. */
export class FakeBrowser {
  readonly database = `background ${Math.random()}`;
  readonly local = new Map<string, unknown>([["account", ACCOUNT]]);
  readonly session = new Map<string, unknown>();
  readonly alarms = new Map<string, unknown>();
  readonly scripts = new Map<string, unknown>();
  /** The tabs that a content script was injected into. */
  readonly injected: number[] = [];
  /** What was sent to content scripts. */
  readonly commands: [number, PageCommand][] = [];
  readonly opened: string[] = [];
  /** The notifications that were shown, in order, and those that were not closed. */
  readonly notified: string[] = [];
  readonly notifications = new Map<string, unknown>();
  badge = "";
  title = "";
  menu = "";
  presence: "active" | "idle" | "locked" = "active";
  /** Whether one of its windows has the focus. */
  isFocused = true;
  tabs: FakeTab[] = [tab(1, { active: true }), tab(2)];
  isPermitted = true;
  /** How long the browser takes to remove something from its storage; a worker that is killed before has not asked for it. */
  removal: () => Promise<unknown> = () => Promise.resolve();

  /** Close and reopen it: session storage is gone, and every tab has a new id. */
  restart(): void {
    this.session.clear();
    this.alarms.clear();
    this.tabs = this.tabs.map(({ id }) => tab(id + 100, { active: id === 1 }));
  }
}

export class Emitter<A extends unknown[]> {
  readonly listeners: ((...args: A) => unknown)[] = [];

  addListener(listener: (...args: A) => unknown): void {
    this.listeners.push(listener);
  }
}

/** Runs something for a worker, unless it was killed. */
type WhileAlive = <T>(work: () => Promise<T>) => Promise<T>;

export function extensionApi(browser: FakeBrowser, whileAlive: WhileAlive) {
  const now = <T>(work: () => T) => whileAlive(() => Promise.resolve(work()));
  return {
    alarms: {
      onAlarm: new Emitter<[{ name: string }]>(),
      get: (name: string) => now(() => browser.alarms.get(name)),
      create: (name: string, how: object) => now(() => browser.alarms.set(name, how)),
      clear: (name: string) => now(() => browser.alarms.delete(name)),
    },
    permissions: {
      onAdded: new Emitter<[]>(),
      onRemoved: new Emitter<[]>(),
      contains: () => now(() => browser.isPermitted),
    },
    storage: {
      local: storageArea(browser, browser.local, whileAlive),
      session: storageArea(browser, browser.session, whileAlive),
    },
    runtime: {
      onInstalled: new Emitter<[{ reason: string }]>(),
      onStartup: new Emitter<[]>(),
      onMessage: new Emitter<
        [PageReports | HighlightsWanted | Request, object, (reply: Reply | HighlightsReply) => void]
      >(),
      getURL: (path: string) => EXTENSION_ORIGIN + path.slice(1),
    },
    contextMenus: {
      onClicked: new Emitter<[{ menuItemId: string; selectionText?: string; pageUrl?: string }, FakeTab]>(),
      removeAll: (then: () => void) => {
        then();
      },
      create: () => undefined,
      update: (_id: string, { title }: { title: string }) => now(() => (browser.menu = title)),
    },
    omnibox: {
      onInputChanged: new Emitter<[string, (suggestions: object[]) => void]>(),
      onInputEntered: new Emitter<[string, string]>(),
      setDefaultSuggestion: () => undefined,
    },
    notifications: {
      onClicked: new Emitter<[string]>(),
      create: (id: string, what: { title: string }) =>
        now(() => {
          browser.notified.push(what.title);
          browser.notifications.set(id, what);
          return id;
        }),
      clear: (id: string) => now(() => browser.notifications.delete(id)),
    },
    commands: { onCommand: new Emitter<[string]>() },
    i18n: { getMessage: (name: string) => name },
    tabs: tabsApi(browser, now),
    windows: {
      onFocusChanged: new Emitter<[number]>(),
      getLastFocused: () => now(() => ({ id: 1, focused: browser.isFocused })),
    },
    idle: {
      onStateChanged: new Emitter<["active" | "idle" | "locked"]>(),
      queryState: () => now(() => browser.presence),
      setDetectionInterval: () => undefined,
    },
    scripting: scriptingApi(browser, now),
    action: {
      setBadgeBackgroundColor: () => now(() => undefined),
      setBadgeText: ({ text }: { text: string }) => now(() => (browser.badge = text)),
      setTitle: ({ title }: { title: string }) => now(() => (browser.title = title)),
    },
  };
}

function storageArea(browser: FakeBrowser, stored: Map<string, unknown>, whileAlive: WhileAlive) {
  const keys = (asked: string | string[] | null) => (asked === null ? [...stored.keys()] : [asked].flat());
  return {
    onChanged: new Emitter<[object]>(),
    get: (asked: string | string[] | null) =>
      whileAlive(() => Promise.resolve(Object.fromEntries(keys(asked).map((key) => [key, stored.get(key)])))),
    set: (values: object) =>
      whileAlive(() => {
        for (const [key, value] of Object.entries(values)) stored.set(key, structuredClone(value));
        return Promise.resolve();
      }),
    remove: (asked: string | string[]) =>
      whileAlive(() => browser.removal()).then(() => {
        for (const key of keys(asked)) stored.delete(key);
      }),
  };
}

function tabsApi(browser: FakeBrowser, now: <T>(work: () => T) => Promise<T>) {
  return {
    onCreated: new Emitter<[Partial<FakeTab>]>(),
    onActivated: new Emitter<[{ tabId: number; windowId: number }]>(),
    onUpdated: new Emitter<[number, { status?: string; title?: string }, FakeTab]>(),
    onAttached: new Emitter<[number, { newWindowId: number }]>(),
    onRemoved: new Emitter<[number]>(),
    query: ({ active, discarded }: { active?: boolean; discarded?: boolean }) =>
      now(() =>
        browser.tabs.filter(
          (each) =>
            (active === undefined || each.active === active) &&
            (discarded === undefined || each.discarded === discarded),
        ),
      ),
    get: (id: number) => now(() => browser.tabs.find((each) => each.id === id) ?? tab(id)),
    create: ({ url }: { url: string }) => now(() => browser.opened.push(url)),
    update: ({ url }: { url: string }) => now(() => browser.opened.push(url)),
    sendMessage: (id: number, command: PageCommand) =>
      now(() => {
        browser.commands.push([id, command]);
        return { reports: [] };
      }),
  };
}

function scriptingApi(browser: FakeBrowser, now: <T>(work: () => T) => Promise<T>) {
  const put = ([script]: [{ id: string }]) => now(() => browser.scripts.set(script.id, script));
  return {
    getRegisteredContentScripts: ({ ids }: { ids: string[] }) =>
      now(() => ids.flatMap((id) => browser.scripts.get(id) ?? [])),
    unregisterContentScripts: ({ ids }: { ids: string[] }) =>
      now(() => {
        for (const id of ids) browser.scripts.delete(id);
      }),
    registerContentScripts: put,
    updateContentScripts: put,
    executeScript: ({ target }: { target: { tabId: number } }) =>
      now(() => browser.injected.push(target.tabId)),
  };
}
