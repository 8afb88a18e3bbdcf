/**
 * The server over HTTP. There may be proxies in between, so only answers that clearly come from MindHit are trusted. The one
 * exception is 413: a proxy with a lower limit lets smaller requests pass.
 */
import type { SentEvent, components } from "@mindhit/client";
import type { Account, TokenRefresher, Tokens } from "./account";
import { gzip } from "./gzip";
import type { Refusal, RunningSession, SessionName } from "./database";
import type { Answer, Failure, Receipt, Server, Stopped } from "./server";

/** Browsers stop a worker whose request takes 30 s. */
const TIMEOUT_MS = 25_000;
const PROBLEM = "urn:mindhit:problem:";
/** Longer titles are refused. */
const LONGEST_TITLE = 10_000;
const LONGEST_REMINDER = 2_000;
const MOST_NOTICES = 20;
const REFUSALS: Partial<Record<string, Refusal>> = {
  "disk-full": "no-space",
  "storage-limit": "no-space",
  "daily-limit": "daily-limit",
};
const CLOSED = new Set(["session-deleted", "session-over", "session-taken"]);

type Schemas = components["schemas"];
export type Connection = Schemas["ConnectStarted"];
export type Polled = Schemas["ConnectStatus"];
export type Me = Schemas["Me"];
export type PersonSettings = Me["settings"];
/** Where a page is saved, and what was recorded of it. */
export type KnownPage = Schemas["KnownPage"];
/** What the address bar suggests. */
export type Suggestion = Schemas["Suggestion"];
/** What the inbox has. */
export type Notice = Schemas["Notice"];
export interface UnreadNotices {
  readonly notices: readonly Notice[];
  /** When quiet hours began; null outside of them. */
  readonly quietSince: number | null;
}
/** What the popup offers to forget. */
export type Forgettable = { readonly last: "1h" } | { readonly domain: string };

type Init = Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> };

async function request(url: string, init: Init): Promise<Response> {
  return fetch(url, {
    ...init,
    headers: { accept: "application/json", ...init.headers },
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

function json(body: object, method = "POST"): Init {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

interface Problem {
  readonly type: string;
  readonly running?: unknown;
}

/** A MindHit problem document, with its type shortened; null if the answer is not from MindHit. */
async function problemOf(response: Response): Promise<Problem | null> {
  if (!response.headers.get("content-type")?.startsWith("application/problem+json")) return null;
  const document = (await response.json().catch(() => null)) as Partial<Problem> | null;
  const type = document?.type;
  if (typeof type !== "string" || !type.startsWith(PROBLEM)) return null;
  return { ...document, type: type.slice(PROBLEM.length) };
}

async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  if (status === 413) return { kind: "too-large" };
  const document = await problemOf(response);
  const problem = document?.type ?? null;
  if (status === 404 && problem === "session-not-found") return { kind: "not-found" };
  if (status === 409 && problem !== null && CLOSED.has(problem)) return { kind: "closed" };
  if (status === 409 && problem === "session-limit")
    return { kind: "limit", running: runningIn(document?.running) };
  if (status === 403 && problem !== null) return { kind: "forbidden" };
  if ((status === 400 || status === 415 || status === 422) && problem !== null) return { kind: "invalid" };
  const seconds = Number(response.headers.get("retry-after") ?? "0");
  const refusal = problem === null ? undefined : REFUSALS[problem];
  return {
    kind: "unreachable",
    ...(seconds > 0 && { retryAfterMs: seconds * 1000 }),
    ...(refusal && { refusal }),
  };
}

export class HttpServer implements Server {
  private readonly tokens: TokenRefresher;

  constructor(tokens: TokenRefresher) {
    this.tokens = tokens;
  }

  start(id: string, startedAt: number): Promise<Answer<unknown>> {
    const body = { session_id: id, started_at: startedAt } satisfies Schemas["StartRequest"];
    return this.callForSession(id, "/v1/sessions/start", json(body));
  }

  async send(id: string, events: readonly SentEvent[]): Promise<Answer<Receipt>> {
    const { body, headers } = await gzip(JSON.stringify({ events }));
    const sent = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    const answer = await this.call(`/v1/sessions/${id}/events:batch`, sent);
    if (answer.kind !== "ok") return answer;
    return isReceipt(answer.value) ? { kind: "ok", value: answer.value } : { kind: "unreachable" };
  }

  async stop(id: string, lastSeq: number, endedAt: number): Promise<Answer<Stopped>> {
    const body = { last_seq: lastSeq, ended_at: endedAt } satisfies Schemas["StopRequest"];
    const answer = await this.callForSession(id, `/v1/sessions/${id}/stop`, json(body));
    return answer.kind === "ok" ? { kind: "ok", value: { name: nameIn(answer.value) } } : answer;
  }

  /** Stop a session that something else records; whatever it still sends is kept. */
  stopElsewhere(id: string): Promise<Answer<unknown>> {
    return this.callForSession(id, `/v1/sessions/${id}/stop`, json({}));
  }

  remove(id: string): Promise<Answer<unknown>> {
    return this.call(`/v1/sessions/${id}`, { method: "DELETE" });
  }

  async save(address: string, title: string): Promise<Answer<unknown>> {
    const answer = await this.call("/v1/pages", json({ address, title: title.slice(0, LONGEST_TITLE) }));
    if (answer.kind !== "ok") return answer;
    // Not an answer of something in between that says yes to everything.
    const { id } = (answer.value ?? {}) as { id?: unknown };
    return typeof id === "string" ? answer : { kind: "unreachable" };
  }

  async remind(address: string, title: string): Promise<Answer<unknown>> {
    const body = {
      url: address,
      ...(title !== "" && { title: title.slice(0, LONGEST_REMINDER) }),
      for: "tomorrow",
    };
    const answer = await this.call("/v1/reminders", json(body));
    if (answer.kind !== "ok") return answer;
    const { page_id: id } = (answer.value ?? {}) as { page_id?: unknown };
    return typeof id === "string" ? answer : { kind: "unreachable" };
  }

  async lookUp(address: string): Promise<Answer<KnownPage>> {
    const answer = await this.call("/v1/pages/lookup", json({ address }));
    if (answer.kind !== "ok") return answer;
    const { pages } = (answer.value ?? {}) as { pages?: unknown };
    return Array.isArray(pages) ? (answer as Answer<KnownPage>) : { kind: "unreachable" };
  }

  /** The texts that were highlighted on the page at an address. */
  async highlightsOn(address: string): Promise<Answer<readonly string[]>> {
    const answer = await this.call("/v1/highlights/lookup", json({ address }));
    if (answer.kind !== "ok") return answer;
    const { texts } = (answer.value ?? {}) as { texts?: unknown };
    if (!Array.isArray(texts)) return { kind: "unreachable" };
    return { kind: "ok", value: texts.filter((text) => typeof text === "string") };
  }

  async suggest(words: string, limit: number): Promise<Answer<readonly Suggestion[]>> {
    const query = new URLSearchParams({ q: words, limit: String(limit) });
    const answer = await this.call(`/v1/search/suggestions?${query.toString()}`, {});
    if (answer.kind !== "ok") return answer;
    const { suggestions } = (answer.value ?? {}) as { suggestions?: unknown };
    return Array.isArray(suggestions)
      ? { kind: "ok", value: suggestions as Suggestion[] }
      : { kind: "unreachable" };
  }

  /** The newest that were not read, and since when it is quiet. */
  async unreadNotices(): Promise<Answer<UnreadNotices>> {
    const answer = await this.call(`/v1/notices?unread=true&limit=${MOST_NOTICES}`, {});
    if (answer.kind !== "ok") return answer;
    const { items, quiet_since: since } = (answer.value ?? {}) as { items?: unknown; quiet_since?: unknown };
    if (!Array.isArray(items)) return { kind: "unreachable" };
    const quietSince = typeof since === "string" ? Date.parse(since) : null;
    return { kind: "ok", value: { notices: items as Notice[], quietSince } };
  }

  readNotice(id: string): Promise<Answer<unknown>> {
    return this.call(`/v1/notices/${id}/read`, { method: "POST" });
  }

  async me(): Promise<Answer<Me>> {
    return (await this.call("/v1/me", {})) as Answer<Me>;
  }

  /** Exclude domains in the account, or no longer. */
  async changeExclusions(add: readonly string[], remove: readonly string[]): Promise<Answer<PersonSettings>> {
    const body = { add: [...add], remove: [...remove] };
    return (await this.call("/v1/me/excluded-domains", json(body, "PATCH"))) as Answer<PersonSettings>;
  }

  /** Delete what was recorded in the last hour, or of a site. What is not sent yet is deleted when it arrives. */
  forget(what: Forgettable, now: number): Promise<Answer<unknown>> {
    return this.call("/v1/forget", json({ ...what, now }));
  }

  /** A call whose answer must not be about another session. One that names none has to look like MindHit's. */
  private async callForSession(id: string, path: string, init: Init): Promise<Answer<unknown>> {
    const answer = await this.call(path, init);
    if (answer.kind !== "ok") return answer;
    const { session_id, sessionId, status } = (answer.value ?? {}) as Partial<Record<string, unknown>>;
    const named = session_id ?? sessionId;
    const isOurs = named === undefined ? typeof status === "string" : named === id;
    return isOurs ? answer : { kind: "unreachable" };
  }

  private async call(path: string, init: Init): Promise<Answer<unknown>> {
    try {
      const account = await this.tokens.account();
      if (account === null) return { kind: "signed-out" };
      let response = await this.attempt(account, path, init);
      if (response.status === 401) {
        const refreshed = await this.tokens.refresh(account.access);
        if (refreshed === null) return { kind: "signed-out" };
        response = await this.attempt(refreshed, path, init);
      }
      if (!response.ok) return await failureOf(response);
      if (response.status === 204) return { kind: "ok", value: null };
      // An answer whose headers were cut off has no content type, and must not pass for an empty one.
      if (response.headers.get("content-type")?.startsWith("application/json") !== true)
        return { kind: "unreachable" };
      return { kind: "ok", value: (await response.json()) as unknown };
    } catch {
      return { kind: "unreachable" }; // unreachable, aborted, or not JSON
    }
  }

  private attempt(account: Account, path: string, init: Init) {
    const headers = { ...init.headers, authorization: `Bearer ${account.access}` };
    return request(account.server + path, { ...init, headers });
  }
}

/** The name in a session's answer; servers of version 0.1 give none. */
function nameIn(value: unknown): SessionName | undefined {
  const { named_after: named } = (value ?? {}) as {
    named_after?: { title?: unknown; more_pages?: unknown } | null;
  };
  if (typeof named?.title !== "string" || typeof named.more_pages !== "number") return undefined;
  return { title: named.title, morePages: named.more_pages };
}

/** The sessions that a refusal names. */
function runningIn(value: unknown): RunningSession[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<Record<string, unknown>>[]).flatMap(
    ({ session_id: id, title, started_at: at, device }) => {
      const startedAt = typeof at === "string" ? Date.parse(at) : NaN;
      if (typeof id !== "string" || Number.isNaN(startedAt)) return [];
      const text = (each: unknown) => (typeof each === "string" ? each : null);
      return [{ id, title: text(title), startedAt, device: text(device) }];
    },
  );
}

function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== "object" || value === null) return false;
  const { ackedSeq, missing } = value as Partial<Record<string, unknown>>;
  const isRange = (range: unknown) =>
    Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger);
  return Number.isSafeInteger(ackedSeq) && Array.isArray(missing) && missing.every(isRange);
}

/** New tokens for a refresh token; null if it is refused. Throws if the server is unreachable. */
export async function refreshTokens(server: string, refreshToken: string): Promise<Tokens | null> {
  const response = await request(`${server}/v1/auth/refresh`, json({ refresh_token: refreshToken }));
  if (response.status === 401 && (await problemOf(response))?.type === "token-not-valid") return null;
  if (!response.ok) throw new Error(`refresh: ${response.status}`);
  return (await response.json()) as Tokens;
}

/** Request a connection. Throws if the server is unreachable or not MindHit. */
export async function requestConnection(server: string, name: string): Promise<Connection> {
  const response = await request(`${server}/v1/connect`, json({ name }));
  if (!response.ok) throw new Error(`connect: ${response.status}`);
  const requested = (await response.json()) as Connection;
  if (typeof requested.device_code !== "string" || typeof requested.url !== "string")
    throw new Error("connect: not MindHit");
  return requested;
}

export async function poll(server: string, deviceCode: string): Promise<Polled> {
  const response = await request(`${server}/v1/connect/poll`, json({ device_code: deviceCode }));
  if (!response.ok) throw new Error(`poll: ${response.status}`);
  return (await response.json()) as Polled;
}

/** Whose token this is. */
export async function whoIs(server: string, access: string): Promise<Me> {
  const response = await request(`${server}/v1/me`, { headers: { authorization: `Bearer ${access}` } });
  if (!response.ok) throw new Error(`me: ${response.status}`);
  return (await response.json()) as Me;
}
