/**
 * For tests: a browser that outlives the extension's workers, the workers' lives in it, and a server. What a life does
 * after its end comes to nothing, and what it waits for never comes.
 */
import { vi } from "vitest";
import type { WireEvent } from "../capture/model";
import type { PageOrder, PageSpeech, Reply, Request, Status } from "../messages";
import type * as database from "../outbox/database";
import { tick } from "../outbox/testing";

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
const OWN = "chrome-extension://own/";

// Browsers have it, Node 20 does not.
if (!("withResolvers" in Promise))
  Object.assign(Promise, {
    withResolvers: () => {
      let settlers = {};
      const promise = new Promise((resolve, reject) => (settlers = { resolve, reject }));
      return { promise, ...settlers };
    },
  });

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

/** All that is left when a worker is stopped. */
export class FakeBrowser {
  readonly database = `background ${Math.random()}`;
  readonly local = new Map<string, unknown>([["account", ACCOUNT]]);
  readonly session = new Map<string, unknown>();
  readonly alarms = new Map<string, unknown>();
  readonly scripts = new Map<string, unknown>();
  /** The tabs that a script was put into. */
  readonly placed: number[] = [];
  /** What was said to scripts in pages. */
  readonly orders: [number, PageOrder][] = [];
  readonly opened: string[] = [];
  badge = "";
  tabs: FakeTab[] = [tab(1, { active: true }), tab(2)];
  isPermitted = true;
  /** How long the browser takes to take something out of its storage; a life that ends before has not asked for it. */
  removal: () => Promise<unknown> = () => Promise.resolve();

  /** Another run of it: what is kept for one run only is gone, and every tab is new. */
  restart(): void {
    this.session.clear();
    this.alarms.clear();
    this.tabs = this.tabs.map(({ id }) => tab(id + 100, { active: id === 1 }));
  }
}

class Emitter<A extends unknown[]> {
  readonly listeners: ((...told: A) => unknown)[] = [];

  addListener(listener: (...told: A) => unknown): void {
    this.listeners.push(listener);
  }
}

/** One life of the worker. */
export class Life {
  readonly api;
  readonly navigation = {
    onCommitted: new Emitter<[object]>(),
    onHistoryStateUpdated: new Emitter<[object]>(),
  };
  private readonly world: FakeBrowser;
  private isOver = false;

  constructor(world: FakeBrowser) {
    this.world = world;
    this.api = apiOf(world, (work) => this.living(work));
    if (world.isPermitted) this.permit();
  }

  /** What needed a permission is there. */
  permit(): void {
    Object.assign(this.api, { webNavigation: this.navigation });
  }

  tell<A extends unknown[]>(event: Emitter<A>, ...told: A): void {
    for (const listener of event.listeners) listener(...told);
  }

  commit(tabId: number, url: string, timeStamp = Date.now()): void {
    this.world.tabs = this.world.tabs.map((each) => (each.id === tabId ? { ...each, url } : each));
    this.tell(this.navigation.onCommitted, { frameId: 0, tabId, url, timeStamp, transitionType: "link" });
  }

  activate(tabId: number): void {
    this.world.tabs = this.world.tabs.map((each) => ({ ...each, active: each.id === tabId }));
    this.tell(this.api.tabs.onActivated, { tabId, windowId: 1 });
  }

  /** What a page of the extension asks for. */
  async ask(request: Request): Promise<Reply> {
    return new Promise((resolve) => {
      this.tell(this.api.runtime.onMessage, request, { url: `${OWN}popup.html` }, resolve);
    });
  }

  /** What the script in a tab says. */
  say(speech: PageSpeech, speaker: FakeTab): void {
    this.tell(this.api.runtime.onMessage, speech, { tab: speaker, frameId: 0 }, () => undefined);
  }

  kill(): void {
    this.isOver = true;
  }

  private living<T>(work: () => Promise<T>): Promise<T> {
    return this.isOver ? never() : work().then((done) => (this.isOver ? never() : done));
  }

  /** A database that does no more for a life that is over. What it was doing is done: it might have been over a moment later. */
  own(db: database.Database): database.Database {
    return new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const work = value.bind(target) as (...all: unknown[]) => unknown;
        if (!this.isOver) return work;
        return name === "transaction" ? () => NOTHING : never;
      },
    });
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

const NOTHING = {
  done: never(),
  abort: () => undefined,
  objectStore: () => ({ get: never, put: never, add: never, delete: never, clear: never }),
};

type Living = <T>(work: () => Promise<T>) => Promise<T>;

function apiOf(world: FakeBrowser, living: Living) {
  const now = <T>(work: () => T) => living(() => Promise.resolve(work()));
  return {
    alarms: {
      onAlarm: new Emitter<[{ name: string }]>(),
      get: (name: string) => now(() => world.alarms.get(name)),
      create: (name: string, how: object) => now(() => world.alarms.set(name, how)),
      clear: (name: string) => now(() => world.alarms.delete(name)),
    },
    permissions: {
      onAdded: new Emitter<[]>(),
      onRemoved: new Emitter<[]>(),
      contains: () => now(() => world.isPermitted),
    },
    storage: { local: areaOf(world, world.local, living), session: areaOf(world, world.session, living) },
    runtime: {
      onInstalled: new Emitter<[{ reason: string }]>(),
      onStartup: new Emitter<[]>(),
      onMessage: new Emitter<[PageSpeech | Request, object, (reply: Reply) => void]>(),
      getURL: (path: string) => OWN + path.slice(1),
    },
    contextMenus: {
      onClicked: new Emitter<[{ menuItemId: string; selectionText?: string; pageUrl?: string }, FakeTab]>(),
      removeAll: (then: () => void) => {
        then();
      },
      create: () => undefined,
    },
    commands: { onCommand: new Emitter<[string]>() },
    i18n: { getMessage: (name: string) => name },
    tabs: tabsOf(world, now),
    windows: {
      onFocusChanged: new Emitter<[number]>(),
      getLastFocused: () => now(() => ({ id: 1, focused: true })),
    },
    idle: {
      onStateChanged: new Emitter<["active" | "idle" | "locked"]>(),
      queryState: () => now(() => "active"),
      setDetectionInterval: () => undefined,
    },
    scripting: scriptingOf(world, now),
    action: {
      setBadgeBackgroundColor: () => now(() => undefined),
      setBadgeText: ({ text }: { text: string }) => now(() => (world.badge = text)),
    },
  };
}

function areaOf(world: FakeBrowser, kept: Map<string, unknown>, living: Living) {
  const names = (asked: string | string[] | null) => (asked === null ? [...kept.keys()] : [asked].flat());
  return {
    onChanged: new Emitter<[object]>(),
    get: (asked: string | string[] | null) =>
      living(() => Promise.resolve(Object.fromEntries(names(asked).map((name) => [name, kept.get(name)])))),
    set: (values: object) =>
      living(() => {
        for (const [name, value] of Object.entries(values)) kept.set(name, structuredClone(value));
        return Promise.resolve();
      }),
    remove: (asked: string | string[]) =>
      living(() => world.removal()).then(() => {
        for (const name of names(asked)) kept.delete(name);
      }),
  };
}

function tabsOf(world: FakeBrowser, now: <T>(work: () => T) => Promise<T>) {
  return {
    onCreated: new Emitter<[Partial<FakeTab>]>(),
    onActivated: new Emitter<[{ tabId: number; windowId: number }]>(),
    onUpdated: new Emitter<[number, { status?: string; title?: string }, FakeTab]>(),
    onAttached: new Emitter<[number, { newWindowId: number }]>(),
    onRemoved: new Emitter<[number]>(),
    query: ({ active, discarded }: { active?: boolean; discarded?: boolean }) =>
      now(() =>
        world.tabs.filter(
          (each) =>
            (active === undefined || each.active === active) &&
            (discarded === undefined || each.discarded === discarded),
        ),
      ),
    get: (id: number) => now(() => world.tabs.find((each) => each.id === id) ?? tab(id)),
    create: ({ url }: { url: string }) => now(() => world.opened.push(url)),
    sendMessage: (id: number, order: PageOrder) =>
      now(() => {
        world.orders.push([id, order]);
        return { words: [] };
      }),
  };
}

function scriptingOf(world: FakeBrowser, now: <T>(work: () => T) => Promise<T>) {
  const put = ([script]: [{ id: string }]) => now(() => world.scripts.set(script.id, script));
  return {
    getRegisteredContentScripts: () => now(() => [...world.scripts.values()]),
    unregisterContentScripts: () =>
      now(() => {
        world.scripts.clear();
      }),
    registerContentScripts: put,
    updateContentScripts: put,
    executeScript: ({ target }: { target: { tabId: number } }) => now(() => world.placed.push(target.tabId)),
  };
}

/** A new life of the worker, with modules of its own. */
export async function wake(world: FakeBrowser): Promise<Life> {
  const life = new Life(world);
  vi.resetModules();
  vi.doMock("@wxt-dev/browser", () => ({ browser: life.api }));
  vi.doMock("../outbox/database", async (original) => {
    const real = await original<typeof database>();
    return { ...real, openDatabase: async () => life.own(await real.openDatabase(world.database)) };
  });
  const { startBackground } = await import("./index");
  startBackground();
  return life;
}

/** The server, as far as `fetch` shows it. */
export class FakeNet {
  isAway = false;
  /** It has deleted what is recorded. */
  isOver = false;
  /** The domains that the account excludes. */
  excluded: readonly string[] = [];
  readonly events: WireEvent[] = [];
  readonly asked: string[] = [];
  endedAt: number | null = null;

  readonly fetch = async (
    address: string,
    { method = "GET", body, headers }: RequestInit,
  ): Promise<Response> => {
    if (this.isAway) throw new TypeError("away");
    const { pathname } = new URL(address);
    const [, , , id, verb] = pathname.split(/[/:]/);
    this.asked.push(`${method} ${pathname.replace(/[0-9a-f-]{36}/, "ID")}`);
    return this.answer(method, verb, id, await read(new Blob([(body ?? "{}") as BlobPart]), headers));
  };

  private answer(method: string, verb: string | undefined, id: string | undefined, told: Told): Response {
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (method === "GET") return Response.json({ settings: { excluded_domains: this.excluded } });
    if (this.isOver) return problem(409, "session-deleted");
    if (verb === "events") {
      for (const event of told.events ?? []) this.events[event.seq - 1] = event;
      return Response.json({ ackedSeq: this.events.length, missing: [] });
    }
    this.endedAt = told.endedAt ?? this.endedAt;
    return Response.json({ sessionId: told.sessionId ?? id });
  }
}

function problem(status: number, name: string): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ type: `urn:mindhit:problem:${name}` }), { status, headers });
}

interface Told {
  readonly sessionId?: string;
  readonly endedAt?: number;
  readonly events?: readonly WireEvent[];
}

async function read(body: Blob, headers: RequestInit["headers"]): Promise<Told> {
  const isPacked = new Headers(headers).has("content-encoding");
  const stream = isPacked ? body.stream().pipeThrough(new DecompressionStream("gzip")) : body.stream();
  return (await new Response(stream).json()) as Told;
}

const STEP_MS = 50;

/** Time goes by, and all that is under way gets its turns. */
export async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, left));
    await turns(10);
  }
}

/** A browser's own work, as packing is, takes as long as it takes. */
export async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await pass(STEP_MS);
}

export function statusOf(reply: Reply): Status {
  if (!reply.ok) throw new Error(reply.reason);
  return reply.status;
}

/** Stop recording, and wait until the server has all of it. */
export async function stop(life: Life): Promise<Status> {
  const answered = life.ask({ ask: "stop" });
  await until(() => Promise.race([answered.then(() => true), tick().then(() => false)]));
  return drained(life);
}

export async function drained(life: Life): Promise<Status> {
  for (;;) {
    const status = statusOf(await life.ask({ ask: "status" }));
    if (status.held === 0 && !status.isStopping) return status;
    await pass(STEP_MS);
  }
}

/** What is under way goes on, and the clock stands. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await tick();
}

/** A browser and a server of their own, at a time that only passes when it is told to. */
export function newWorld(): { readonly world: FakeBrowser; readonly net: FakeNet } {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_800_000_000_000 });
  const net = new FakeNet();
  vi.stubGlobal("fetch", net.fetch);
  vi.stubGlobal("navigator", { storage: { estimate: () => Promise.resolve({ usage: 0, quota: 1e12 }) } });
  return { world: new FakeBrowser(), net };
}

/** A life that has begun to record. */
export async function recordingIn(world: FakeBrowser): Promise<Life> {
  const life = await wake(world);
  await pass(100);
  await life.ask({ ask: "start" });
  await pass(100);
  return life;
}
