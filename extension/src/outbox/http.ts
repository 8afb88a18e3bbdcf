/**
 * The server over HTTP. Between here and there stand proxies: only an answer that is plainly MindHit's own is believed.
 * That a request is too large is believed of anybody: a proxy with a lower limit lets smaller ones pass.
 */
import type { components } from "@mindhit/client";
import type { WireEvent } from "../capture/model";
import type { Account, Authority, Tokens } from "./account";
import { gzip } from "./gzip";
import type { Answer, Failure, Receipt, Server } from "./server";

const PATIENCE_MS = 25_000; // a worker whose request takes 30 s is stopped
const PROBLEM = "urn:mindhit:problem:";
const OVER = new Set(["session-deleted", "session-over", "session-taken"]);

type Schemas = components["schemas"];
export type Connection = Schemas["Started"];
export type Polled = Schemas["Polled"];
export type Me = Schemas["Me"];

type Init = Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> };

async function request(address: string, init: Init): Promise<Response> {
  return fetch(address, {
    ...init,
    headers: { accept: "application/json", ...init.headers },
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

function json(body: object): Init {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The kind of a problem document of ours, or null where somebody else spoke. */
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
  if (status === 404 && problem === "session-not-found") return { kind: "gone" };
  if (status === 409 && problem !== null && OVER.has(problem)) return { kind: "over" };
  if (status === 403 && problem !== null) return { kind: "forbidden" };
  if ((status === 400 || status === 415 || status === 422) && problem !== null) return { kind: "bad" };
  const seconds = Number(response.headers.get("retry-after") ?? "0");
  return { kind: "away", ...(seconds > 0 && { afterMs: seconds * 1000 }) };
}

export class HttpServer implements Server {
  private readonly authority: Authority;

  constructor(authority: Authority) {
    this.authority = authority;
  }

  start(id: string, startedAt: number): Promise<Answer<unknown>> {
    const body = { sessionId: id, startedAt } satisfies Schemas["StartRequest"];
    return this.about(id, "/v1/sessions/start", json(body));
  }

  async send(id: string, events: readonly WireEvent[]): Promise<Answer<Receipt>> {
    const { body, headers } = await gzip(JSON.stringify({ events }));
    const sent = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    const answer = await this.call(`/v1/sessions/${id}/events:batch`, sent);
    if (answer.kind !== "ok") return answer;
    return isReceipt(answer.value) ? { kind: "ok", value: answer.value } : { kind: "away" };
  }

  stop(id: string, lastSeq: number, endedAt: number): Promise<Answer<unknown>> {
    const body = { lastSeq, endedAt } satisfies Schemas["StopRequest"];
    return this.about(id, `/v1/sessions/${id}/stop`, json(body));
  }

  remove(id: string): Promise<Answer<unknown>> {
    return this.call(`/v1/sessions/${id}`, { method: "DELETE" });
  }

  async me(): Promise<Answer<Me>> {
    return (await this.call("/v1/me", {})) as Answer<Me>;
  }

  /** A call that is answered with the recording it was about. */
  private async about(id: string, path: string, init: Init): Promise<Answer<unknown>> {
    const answer = await this.call(path, init);
    if (answer.kind !== "ok") return answer;
    const { sessionId } = answer.value as Partial<Schemas["Recording"]>;
    return sessionId === id ? answer : { kind: "away" };
  }

  private async call(path: string, init: Init): Promise<Answer<unknown>> {
    try {
      const account = await this.authority.present();
      if (account === null) return { kind: "signed-out" };
      let response = await this.attempt(account, path, init);
      if (response.status === 401) {
        const renewed = await this.authority.renew(account.access);
        if (renewed === null) return { kind: "signed-out" };
        response = await this.attempt(renewed, path, init);
      }
      if (!response.ok) return await failureOf(response);
      if (response.status === 204) return { kind: "ok", value: null };
      // An answer whose headers were cut off has no type, and may pass for an empty one.
      if (response.headers.get("content-type")?.startsWith("application/json") !== true)
        return { kind: "away" };
      return { kind: "ok", value: (await response.json()) as unknown };
    } catch {
      return { kind: "away" }; // not reached, broken off, or no JSON: not MindHit's own words
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

/** Tokens for a refresh token; null where it is refused. Throws where the server cannot be reached. */
export async function renew(server: string, refreshToken: string): Promise<Tokens | null> {
  const response = await request(`${server}/v1/auth/refresh`, json({ refresh_token: refreshToken }));
  if (response.status === 401 && (await problemOf(response)) === "token-not-valid") return null;
  if (!response.ok) throw new Error(`refresh: ${response.status}`);
  return (await response.json()) as Tokens;
}

/** Ask to be connected. Throws where the server cannot be reached or is none of ours. */
export async function askToConnect(server: string, name: string): Promise<Connection> {
  const response = await request(`${server}/v1/connect`, json({ name }));
  if (!response.ok) throw new Error(`connect: ${response.status}`);
  const asked = (await response.json()) as Connection;
  if (typeof asked.device_code !== "string" || typeof asked.url !== "string")
    throw new Error("connect: not MindHit");
  return asked;
}

export async function poll(server: string, deviceCode: string): Promise<Polled> {
  const response = await request(`${server}/v1/connect/poll`, json({ device_code: deviceCode }));
  if (!response.ok) throw new Error(`poll: ${response.status}`);
  return (await response.json()) as Polled;
}

/** Who holds a token that was just given. */
export async function whoIs(server: string, access: string): Promise<Me> {
  const response = await request(`${server}/v1/me`, { headers: { authorization: `Bearer ${access}` } });
  if (!response.ok) throw new Error(`me: ${response.status}`);
  return (await response.json()) as Me;
}
