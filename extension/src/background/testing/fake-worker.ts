/** For tests: a service worker that can be killed. After that nothing it does has an effect, and its promises never settle. */
import { vi } from "vitest";
import type { PageReports, Reply, Request } from "../../messages";
import type * as database from "../../outbox/database";
import { Emitter, EXTENSION_ORIGIN, extensionApi, type FakeBrowser, type FakeTab } from "./fake-browser";

// Browsers have it, Node 20 does not.
if (!("withResolvers" in Promise))
  Object.assign(Promise, {
    withResolvers: () => {
      let settlers = {};
      const promise = new Promise((resolve, reject) => (settlers = { resolve, reject }));
      return { promise, ...settlers };
    },
  });

export class FakeWorker {
  readonly api;
  readonly navigation = {
    onCommitted: new Emitter<[object]>(),
    onHistoryStateUpdated: new Emitter<[object]>(),
    onReferenceFragmentUpdated: new Emitter<[object]>(),
  };
  private readonly browser: FakeBrowser;
  private isKilled = false;

  constructor(browser: FakeBrowser) {
    this.browser = browser;
    this.api = extensionApi(browser, (work) => this.whileAlive(work));
    if (browser.isPermitted) this.permit();
  }

  /** Add the API that needs a permission. */
  permit(): void {
    Object.assign(this.api, { webNavigation: this.navigation });
  }

  emit<A extends unknown[]>(event: Emitter<A>, ...args: A): void {
    for (const listener of event.listeners) listener(...args);
  }

  commit(tabId: number, url: string, timeStamp = Date.now()): void {
    this.browser.tabs = this.browser.tabs.map((each) => (each.id === tabId ? { ...each, url } : each));
    this.emit(this.navigation.onCommitted, { frameId: 0, tabId, url, timeStamp, transitionType: "link" });
  }

  activate(tabId: number): void {
    this.browser.tabs = this.browser.tabs.map((each) => ({ ...each, active: each.id === tabId }));
    this.emit(this.api.tabs.onActivated, { tabId, windowId: 1 });
  }

  /** A request from one of the extension's pages. */
  async ask(request: Request): Promise<Reply> {
    return new Promise((resolve) => {
      const sender = { url: `${EXTENSION_ORIGIN}popup.html` };
      this.emit(this.api.runtime.onMessage, request, sender, (reply) => {
        if ("ok" in reply) resolve(reply);
      });
    });
  }

  /** Reports from the content script in a tab. */
  report(reports: PageReports, from: FakeTab): void {
    this.emit(this.api.runtime.onMessage, reports, { tab: from, frameId: 0 }, () => undefined);
  }

  /** What the content script in a tab is told to paint. */
  highlightsOn(url: string, from: FakeTab): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const wanted = { wants: "highlights", url } as const;
      this.emit(this.api.runtime.onMessage, wanted, { tab: from, frameId: 0 }, (reply) => {
        resolve("texts" in reply ? reply.texts : []);
      });
    });
  }

  kill(): void {
    this.isKilled = true;
  }

  private whileAlive<T>(work: () => Promise<T>): Promise<T> {
    return this.isKilled ? never() : work().then((result) => (this.isKilled ? never() : result));
  }

  /** The database as this worker sees it. What was under way when it was killed is completed: it might have died a moment later. */
  wrap(db: database.Database): database.Database {
    return new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const method = value.bind(target) as (...all: unknown[]) => unknown;
        if (!this.isKilled) return method;
        return name === "transaction" ? () => DEAD_TRANSACTION : never;
      },
    });
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

const DEAD_TRANSACTION = {
  done: never(),
  abort: () => undefined,
  objectStore: () => ({ get: never, put: never, add: never, delete: never, clear: never }),
};

/** Start a worker, with its own instances of all modules. */
export async function startWorker(browser: FakeBrowser): Promise<FakeWorker> {
  const worker = new FakeWorker(browser);
  vi.resetModules();
  vi.doMock("@wxt-dev/browser", () => ({ browser: worker.api }));
  vi.doMock("../../outbox/database", async (original) => {
    const real = await original<typeof database>();
    return { ...real, openDatabase: async () => worker.wrap(await real.openDatabase(browser.database)) };
  });
  const { startBackground } = await import("../index");
  startBackground();
  return worker;
}
