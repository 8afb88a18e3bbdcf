/**
 * The server over HTTP. There may be proxies in between, so only answers that clearly come from MindHit are trusted. The one
 * exception is 413: a proxy with a lower limit lets smaller requests pass.
 */
import type { SentEvent, components } from "@mindhit/client";
import type { Account, TokenRefresher, Tokens } from "./account";
import { gzip } from "./gzip";
import type { Answer, Failure, Receipt, Server } from "./server";

/** Browsers stop a worker whose request takes 30 s. */
const TIMEOUT_MS = 25_000;
const PROBLEM = "urn:mindhit:problem:";
const CLOSED = new Set(["session-deleted", "session-over", "session-taken"]);

type Schemas = components["schemas"];
export type Connection = Schemas["ConnectStarted"];
export type Polled = Schemas["ConnectStatus"];
export type Me = Schemas["Me"];

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

function json(body: object): Init {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The type of a MindHit problem document; null if the answer is not from MindHit. */
async function problemOf(response: Response): Promise<string | null> {
  if (!response.headers.get("content-type")?.startsWith("application/problem+json")) return null;
  const document = (await response.json().catch(() => null)) as { type?: unknown } | null;
  const type = document?.type;
  return typeof type === "string" && type.startsWith(PROBLEM) ? type.slice(PROBLEM.length) : null;
}

async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  if (status === 413) return { kind: "too-large" };
  const problem = await problemOf(response);
  if (status === 404 && problem === "session-not-found") return { kind: "not-found" };
  if (status === 409 && problem !== null && CLOSED.has(problem)) return { kind: "closed" };
  if (status === 403 && problem !== null) return { kind: "forbidden" };
  if ((status === 400 || status === 415 || status === 422) && problem !== null) return { kind: "invalid" };
  const seconds = Number(response.headers.get("retry-after") ?? "0");
  return { kind: "unreachable", ...(seconds > 0 && { retryAfterMs: seconds * 1000 }) };
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

  stop(id: string, lastSeq: number, endedAt: number): Promise<Answer<unknown>> {
    const body = { last_seq: lastSeq, ended_at: endedAt } satisfies Schemas["StopRequest"];
    return this.callForSession(id, `/v1/sessions/${id}/stop`, json(body));
  }

  remove(id: string): Promise<Answer<unknown>> {
    return this.call(`/v1/sessions/${id}`, { method: "DELETE" });
  }

  async me(): Promise<Answer<Me>> {
    return (await this.call("/v1/me", {})) as Answer<Me>;
  }

  /** A call whose answer has to name the session it is about. */
  private async callForSession(id: string, path: string, init: Init): Promise<Answer<unknown>> {
    const answer = await this.call(path, init);
    if (answer.kind !== "ok") return answer;
    const { session_id: sessionId } = answer.value as Partial<Schemas["Recording"]>;
    return sessionId === id ? answer : { kind: "unreachable" };
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
  if (response.status === 401 && (await problemOf(response)) === "token-not-valid") return null;
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
