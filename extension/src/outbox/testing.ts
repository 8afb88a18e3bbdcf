/** For tests: an in-memory server that can fail on request, and a worker that can be killed at any point. */
import { BATCH_LIMIT, type SentEvent } from "@mindhit/client";
import type { Rules } from "../capture/exclusions";
import type { Observation } from "../capture/observations";
import type { Database, RunningSession } from "./database";
import { begin, record } from "./recordings";
import type { Answer, Receipt, Server, Stopped } from "./server";

export const RULES: Rules = { excluded: [], only: null };
export const ID = "00000000-0000-4000-8000-000000000001";
export const OWNER = "http://server someone";
export const START = 1_000_000;
export const DAY_MS = 86_400_000;

export const highlight = (tabId: number, text = `highlight ${tabId}`): Observation => ({
  kind: "highlight",
  t: START,
  tabId,
  url: `http://a.example/${tabId}`,
  text,
});

/** Begin a recording, with so many events. */
export async function recordHighlights(db: Database, count: number): Promise<void> {
  await begin(db, ID, OWNER, START);
  for (let tabId = 1; tabId <= count; tabId++) await record(db, highlight(tabId), RULES);
}

export type Fault = "none" | "down" | "answer-lost";

interface Session {
  readonly events: Map<number, SentEvent>;
  lastSeq: number | null;
}

export class FakeServer implements Server {
  readonly sessions = new Map<string, Session>();
  readonly deleted = new Set<string>();
  readonly calls: string[] = [];
  /** Consulted at each call. */
  fault: () => Fault = () => "none";
  mostEvents = BATCH_LIMIT;
  isInvalid: (event: SentEvent) => boolean = () => false;
  mayRemove = true;
  readonly saved: string[] = [];
  duplicates = 0;
  /** Sessions that run elsewhere, of a plan that allows no other; null: no limit. */
  running: readonly RunningSession[] | null = null;

  readonly reminded: string[] = [];

  remind(address: string): Promise<Answer<unknown>> {
    return this.answer("remind", () => {
      this.reminded.push(address);
      return { kind: "ok", value: null };
    });
  }

  save(address: string): Promise<Answer<unknown>> {
    return this.answer("save", () => {
      if (address.includes("invalid")) return { kind: "invalid" };
      if (!this.saved.includes(address)) this.saved.push(address);
      return { kind: "ok", value: null };
    });
  }

  start(id: string): Promise<Answer<unknown>> {
    return this.answer("start", () => {
      if (this.deleted.has(id)) return { kind: "closed" };
      if (this.running !== null && !this.sessions.has(id)) return { kind: "limit", running: this.running };
      if (!this.sessions.has(id)) this.sessions.set(id, { events: new Map(), lastSeq: null });
      return { kind: "ok", value: null };
    });
  }

  send(id: string, events: readonly SentEvent[]): Promise<Answer<Receipt>> {
    const sent = structuredClone(events);
    return this.answer(`send ${events.length}`, () => {
      const session = this.sessions.get(id);
      if (session === undefined) return { kind: "not-found" };
      if (sent.length > this.mostEvents) return { kind: "too-large" };
      if (sent.some(this.isInvalid)) return { kind: "invalid" };
      for (const event of sent) {
        if (session.events.has(event.seq)) this.duplicates += 1;
        else session.events.set(event.seq, event);
      }
      return { kind: "ok", value: { accepted: 0, duplicates: 0, rejected: [], ...this.receipt(session) } };
    });
  }

  stop(id: string, lastSeq: number): Promise<Answer<Stopped>> {
    return this.answer("stop", () => {
      const session = this.sessions.get(id);
      if (session === undefined) return { kind: "not-found" };
      session.lastSeq = lastSeq;
      return { kind: "ok", value: {} };
    });
  }

  remove(id: string): Promise<Answer<unknown>> {
    return this.answer("remove", () => {
      if (!this.mayRemove) return { kind: "forbidden" };
      this.deleted.add(id);
      return this.sessions.delete(id) ? { kind: "ok", value: null } : { kind: "not-found" };
    });
  }

  events(id: string): SentEvent[] {
    return [...(this.sessions.get(id)?.events.values() ?? [])].sort((a, b) => a.seq - b.seq);
  }

  private receipt({ events, lastSeq }: Session): Pick<Receipt, "ackedSeq" | "missing"> {
    const last = Math.max(lastSeq ?? 0, ...events.keys());
    const missing: [number, number][] = [];
    for (let seq = 1; seq <= last; seq++) {
      const hole = missing.at(-1);
      if (events.has(seq)) continue;
      if (hole?.[1] === seq - 1) hole[1] = seq;
      else missing.push([seq, seq]);
    }
    return { ackedSeq: (missing[0]?.[0] ?? last + 1) - 1, missing };
  }

  private async answer<T>(name: string, work: () => Answer<T>): Promise<Answer<T>> {
    await tick();
    const fault = this.fault();
    this.calls.push(fault === "none" ? name : `${name} ${fault}`);
    if (fault === "down") return { kind: "unreachable" };
    const answer = work();
    await tick();
    return fault === "answer-lost" ? { kind: "unreachable" } : answer;
  }
}

export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The database as one worker sees it: killing the worker rolls back its open transactions and stops further writes. */
export interface KillableDatabase {
  readonly db: Database;
  kill(): void;
  isKilled(): boolean;
}

export function killable(db: Database): KillableDatabase {
  let isKilled = false;
  const open = new Set<IDBTransaction>();
  const transaction = (...asked: Parameters<Database["transaction"]>): unknown => {
    if (isKilled) throw new Error("killed");
    const tx = db.transaction(...asked);
    const native = unwrapped(tx);
    open.add(native);
    tx.done.then(
      () => open.delete(native),
      () => open.delete(native),
    );
    return tx;
  };
  const kill = () => {
    isKilled = true;
    for (const tx of open) {
      try {
        tx.abort();
      } catch {
        // Committed already.
      }
    }
  };
  const proxy = new Proxy(db, {
    get(target, name) {
      if (name === "transaction") return transaction;
      if (isKilled) throw new Error("killed");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db: proxy, kill, isKilled: () => isKilled };
}

function unwrapped(tx: unknown): IDBTransaction {
  return tx as IDBTransaction;
}
