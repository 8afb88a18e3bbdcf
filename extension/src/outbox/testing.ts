/** For tests: a server in memory that can be told to fail, and a worker that can die in the middle of anything. */
import type { WireEvent } from "../capture/model";
import type { Database } from "./database";
import type { Answer, Receipt, Server } from "./server";

export type Fault = "none" | "down" | "answer-lost";

interface Session {
  readonly events: Map<number, WireEvent>;
  lastSeq: number | null;
}

export class FakeServer implements Server {
  readonly sessions = new Map<string, Session>();
  readonly deleted = new Set<string>();
  readonly calls: string[] = [];
  /** Asked before each call. */
  fault: () => Fault = () => "none";
  mostEvents = 200;
  isBad: (event: WireEvent) => boolean = () => false;
  mayRemove = true;
  duplicates = 0;

  start(id: string): Promise<Answer<unknown>> {
    return this.answer("start", () => {
      if (this.deleted.has(id)) return { kind: "over" };
      if (!this.sessions.has(id)) this.sessions.set(id, { events: new Map(), lastSeq: null });
      return { kind: "ok", value: null };
    });
  }

  send(id: string, events: readonly WireEvent[]): Promise<Answer<Receipt>> {
    const sent = structuredClone(events);
    return this.answer(`send ${events.length}`, () => {
      const session = this.sessions.get(id);
      if (session === undefined) return { kind: "gone" };
      if (sent.length > this.mostEvents) return { kind: "too-large" };
      if (sent.some(this.isBad)) return { kind: "bad" };
      for (const event of sent) {
        if (session.events.has(event.seq)) this.duplicates += 1;
        else session.events.set(event.seq, event);
      }
      return { kind: "ok", value: { accepted: 0, duplicates: 0, rejected: [], ...this.standing(session) } };
    });
  }

  stop(id: string, lastSeq: number): Promise<Answer<unknown>> {
    return this.answer("stop", () => {
      const session = this.sessions.get(id);
      if (session === undefined) return { kind: "gone" };
      session.lastSeq = lastSeq;
      return { kind: "ok", value: null };
    });
  }

  remove(id: string): Promise<Answer<unknown>> {
    return this.answer("remove", () => {
      if (!this.mayRemove) return { kind: "forbidden" };
      this.deleted.add(id);
      return this.sessions.delete(id) ? { kind: "ok", value: null } : { kind: "gone" };
    });
  }

  events(id: string): WireEvent[] {
    return [...(this.sessions.get(id)?.events.values() ?? [])].sort((one, other) => one.seq - other.seq);
  }

  private standing({ events, lastSeq }: Session): Pick<Receipt, "ackedSeq" | "missing"> {
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
    if (fault === "down") return { kind: "away" };
    const answer = work();
    await tick();
    return fault === "answer-lost" ? { kind: "away" } : answer;
  }
}

export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The database as one worker sees it: when it is killed, what it was writing is undone, and it writes nothing more. */
export interface Life {
  readonly db: Database;
  kill(): void;
  isDead(): boolean;
}

export function mortal(db: Database): Life {
  let isDead = false;
  const open = new Set<IDBTransaction>();
  const transaction = (...asked: Parameters<Database["transaction"]>): unknown => {
    if (isDead) throw new Error("dead");
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
    isDead = true;
    for (const tx of open) {
      try {
        tx.abort();
      } catch {
        // Committed in this very moment.
      }
    }
  };
  const shown = new Proxy(db, {
    get(target, name) {
      if (name === "transaction") return transaction;
      if (isDead) throw new Error("dead");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db: shown, kill, isDead: () => isDead };
}

function unwrapped(tx: unknown): IDBTransaction {
  return tx as IDBTransaction;
}
