/** For tests: a server behind `fetch`, people in front of the screen. Nothing of the app itself is replaced. */
import { cleanup, configure, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, vi } from "vitest";
import type { Device, Me, Settings } from "./account/api";
import { App } from "./app/app";
import { chooseLanguage, startLanguages } from "./i18n/languages";
import type { Detail, Summary, Visit } from "./session/api";
import { startTheme } from "./app/theme";

configure({ asyncUtilTimeout: 20_000 }); // a busy machine is no failure
afterEach(cleanup);
Element.prototype.scrollIntoView = () => undefined; // jsdom has none

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}
type Answer = Response | Promise<Response>;
/** By `GET /v1/me`. */
export type Server = Record<string, (asked: Asked) => Answer>;

export const settings: Settings = {
  email_notification: true,
  excluded_domains: ["bank.example"],
  timezone: "Asia/Seoul",
  language: "en",
  quiet_hours: null,
  quiet_mode: "off",
  server_fetch: true,
};

export const me: Me = {
  id: "7f1c0f5e-0000-4000-8000-000000000001",
  email: "mina@example.com",
  role: "owner",
  verified: true,
  has_password: true,
  created_at: "2026-11-01T00:00:00Z",
  device: { id: "d1", kind: "web", scopes: ["web"] },
  settings,
};

export const device: Device = {
  id: "d1",
  kind: "web",
  name: "Chrome on Linux",
  scopes: ["web"],
  created_at: "2026-11-01T00:00:00Z",
  last_seen_at: "2026-11-15T23:30:00Z",
  last_address: "203.0.113.7",
  expires_at: null,
  is_current: true,
};

export const session: Summary = {
  id: "5e551000-0000-4000-8000-000000000001",
  title: "A first sourdough",
  title_by: "reader",
  named_after: null,
  status: "completed",
  started_at: "2026-11-15T10:00:00.000Z",
  ended_at: "2026-11-15T10:20:00.000Z",
  last_event_at: "2026-11-15T10:20:00.000Z",
  total_duration_ms: 1_100_000,
  page_count: 7,
  highlight_count: 2,
  top_keywords: [],
  top_domains: ["en.wikipedia.org", "reddit.com"],
  device_id: null,
  is_incomplete: false,
  is_over_limit: false,
  expires_at: null,
};

export const visit: Visit = {
  id: `${session.id}:1`,
  url: "https://site.example/1",
  url_id: "0a000000-0000-4000-8000-000000000001",
  domain: "site.example",
  title: "Page 1",
  favicon: null,
  summary: null,
  keywords: [],
  content_status: null,
  entered_at: session.started_at,
  left_at: session.ended_at,
  duration_ms: 1_200_000,
  is_focused: true,
  visit_order: 1,
  tab_id: 1,
  transition: "link",
  came_from: null,
};

/** The session with a timeline; without anything in it, unless said. */
export function detailOf(more: Partial<Detail> = {}): Detail {
  return {
    session: { ...session, acked_seq: 9, event_count: 9, rejected_count: 0, error: null },
    page_visits: [],
    pauses: [],
    highlights: [],
    holes: [],
    ...more,
  };
}

export function listOf(sessions: readonly Summary[], total = sessions.length) {
  return { sessions, total, next_cursor: null };
}

export const ok =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
export const nothing = () => new Response(null, { status: 204 });

export function problem(status: number, kind: string, more: object = {}): () => Response {
  const document = { type: `urn:mindhit:problem:${kind}`, title: kind, status, ...more };
  const headers = { "content-type": "application/problem+json" };
  return () => new Response(JSON.stringify(document), { status, headers });
}

/** Nobody is signed in. */
export const outside: Server = {
  "GET /readyz": ok({ status: "ready" }),
  "GET /v1/about": ok({ name: "MindHit", version: "9.8.7" }),
  "GET /v1/auth": ok({ has_owner: true, sign_up: true, password: true, oidc: null, mail: true }),
  "GET /v1/me": problem(401, "not-signed-in", { detail: "Sign in first." }),
};

/** Mina is. */
export const inside: Server = {
  ...outside,
  "GET /v1/me": ok(me),
  "GET /v1/devices": ok({ items: [device] }),
  "GET /v1/sessions": ok(listOf([])),
  "GET /v1/totals": ok({ topics: [] }),
  "GET /v1/totals/days": ok({ today: "2026-11-16", days: [] }),
  "GET /v1/totals/calendar": ok({ today: "2026-11-16", days: [] }),
  "GET /v1/notices": ok({ items: [], next_cursor: null, unread: 0 }),
  [`GET /v1/sessions/${session.id}/mindmap`]: ok({ mindmap: null }),
  [`GET /v1/sessions/${session.id}/cost`]: ok({
    engine: "builtin",
    model: "builtin",
    payer: null,
    limitation: null,
    operations: [],
    at_most: 0,
    left: null,
    is_enough: true,
  }),
  "GET /v1/me/exports": ok({ exports: [] }),
  "GET /v1/me/retention": ok({
    sessions: null,
    raw_events: null,
    model_answers: 7,
    read_notices: 90,
    security_events: 365,
    exports: 1,
  }),
  "GET /v1/demo": ok({ there: 0, deleted: 0 }),
  "GET /v1/extension": ok({
    version: "9.8.7",
    downloads: ["chrome", "firefox"],
    folder: "/home/mina/MindHit-extension/chrome",
  }),
};

/** Answers from now on; what is not served is a server that is not there. Returns the list of what was asked. */
export function serve(server: Server): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit = {}) => {
    const url = new URL(address, location.origin);
    const method = init.method ?? "GET";
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const request = { method, path: url.pathname, query: url.searchParams, body };
    asked.push(request);
    const handler = server[`${method} ${url.pathname}`];
    return handler ? Promise.resolve(handler(request)) : Promise.reject(new TypeError("fetch failed"));
  });
  return asked;
}

export function sent(asked: readonly Asked[], method: string): readonly Asked[] {
  return asked.filter((request) => request.method === method);
}

/** The page is closed or reloaded. */
export function leave(): void {
  fireEvent(window, new Event("pagehide"));
}

/** A fresh browser at this address. */
export function open(path: string): void {
  leave();
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", path);
  startLanguages();
  chooseLanguage("en");
  startTheme();
  render(<App />);
}

/** The same page of the same browser, loaded again. */
export function reload(): void {
  cleanup();
  render(<App />);
}

export function here(): string {
  return location.pathname + location.search + location.hash;
}

export async function type(label: string, text: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: text } });
}

export async function click(name: string | RegExp, role = "button"): Promise<void> {
  fireEvent.click(await screen.findByRole(role, { name }));
}

/** jsdom has no modal dialogs: this one opens, closes and gives the focus back, but does not keep it in. */
export function stubDialogs(): void {
  let before: Element | null = null;
  HTMLDialogElement.prototype.showModal = function () {
    before = document.activeElement;
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
    if (before instanceof HTMLElement) before.focus();
  };
}

/** A stream of server-sent events that a test speaks through; jsdom has none. */
export class Stream {
  static all: Stream[] = [];
  static readonly CLOSED = 2;
  readyState = 1;
  onerror: (() => void) | null = null;
  private readonly listeners = new Map<string, (event: unknown) => void>();

  constructor() {
    Stream.all.push(this);
  }

  addEventListener(name: string, listener: (event: unknown) => void): void {
    this.listeners.set(name, listener);
  }

  say(name: string, data: unknown): void {
    this.listeners.get(name)?.({ data: JSON.stringify(data) });
  }

  /** As when something other than a stream answers: the browser does not come back by itself. */
  cut(): void {
    this.readyState = Stream.CLOSED;
    this.onerror?.();
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

export function stubStreams(): void {
  Stream.all = [];
  vi.stubGlobal("EventSource", Stream);
}
