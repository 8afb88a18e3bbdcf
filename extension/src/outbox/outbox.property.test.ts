/** Store, send, lose answers and kill in any order: everything stored arrives, once, in order. */
import "fake-indexeddb/auto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allOf, type Database, openDatabase } from "./database";
import { begin, end, record } from "./recordings";
import { Sender } from "./sender";
import { type Fault, FakeServer, ID, killable, type KillableDatabase, OWNER, RULES, tick } from "./testing";

const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant("store" as const) },
  { weight: 3, arbitrary: fc.constant("flush" as const) },
  { weight: 2, arbitrary: fc.constant("kill" as const) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) }, // ticks to wait
);
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fault>("none") },
  { weight: 1, arbitrary: fc.constant<Fault>("down") },
  { weight: 1, arbitrary: fc.constant<Fault>("answer-lost") },
);

class World {
  readonly server = new FakeServer();
  readonly stored = new Set<string>(); // the promise has resolved
  readonly tried = new Set<string>();
  clock = 1_000_000;
  /** Errors of workers that were not killed. */
  readonly errors: unknown[] = [];
  private worker: KillableDatabase;
  private sender: Sender;

  private readonly disk: Database;

  constructor(disk: Database) {
    this.disk = disk;
    this.worker = killable(disk);
    this.sender = this.makeSender();
  }

  private makeSender(): Sender {
    return new Sender({
      db: this.worker.db,
      server: this.server,
      owner: () => Promise.resolve(OWNER),
      now: () => this.clock,
      random: () => 0.5,
    });
  }

  store(): Promise<unknown> {
    const text = `highlight ${this.tried.size}`;
    this.tried.add(text);
    return record(
      this.worker.db,
      { kind: "highlight", t: this.clock, tabId: this.tried.size, url: "http://a.example/", text },
      RULES,
    ).then((taken) => taken !== null && this.stored.add(text), this.mourn());
  }

  flush(): Promise<unknown> {
    return this.sender.flush(true).catch(this.mourn());
  }

  /** Failures are expected only from a worker that was killed. */
  private mourn(): (error: unknown) => void {
    const { worker } = this;
    return (error) => {
      if (!worker.isKilled()) this.errors.push(error);
    };
  }

  kill(): void {
    this.worker.kill();
    this.worker = killable(this.disk);
    this.sender = this.makeSender();
  }
}

function textsOf(events: readonly { payload?: { text?: string | null } | null }[]): string[] {
  return events.map((event) => event.payload?.text ?? "");
}

test("stored = acked + unsent, no gap, no duplicate", async () => {
  let kills = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.array(fault, { maxLength: 20 }),
      async (steps, faults) => {
        const disk = await openDatabase(`property ${Math.random()}`);
        const world = new World(disk);
        const script = [...faults];
        world.server.fault = () => script.shift() ?? "none";
        await begin(disk, ID, OWNER, world.clock);
        const pending: Promise<unknown>[] = [];
        const start = (work: Promise<unknown>) => pending.push(work);
        for (const each of steps) {
          world.clock += 1_000;
          if (each === "store") start(world.store());
          else if (each === "flush") start(world.flush());
          else if (each === "kill") {
            world.kill();
            kills += 1;
          } else for (let count = 0; count < each; count++) await tick();
        }
        await Promise.all(pending);
        expect(world.errors).toEqual([]);

        const unsent = (await disk.getAll("events", allOf(ID))).map((each) => each.event);
        const there = world.server.events(ID);
        const known = new Set(textsOf([...there, ...unsent]));
        for (const text of world.stored) expect(known).toContain(text);

        world.server.fault = () => "none";
        await end(disk, world.clock);
        world.kill();
        expect(await world.flush()).toBe("sent");
        expect(await disk.count("recordings")).toBe(0);
        expect(await disk.count("events")).toBe(0);
        const all = world.server.events(ID);
        expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1));
        expect(world.server.sessions.get(ID)?.lastSeq).toBe(all.length);
        const texts = textsOf(all);
        expect(new Set(texts).size).toBe(texts.length);
        for (const text of world.stored) expect(texts).toContain(text);
        for (const text of texts) expect(world.tried).toContain(text);
        disk.close();
      },
    ),
    { numRuns: 400 },
  );
  expect(kills).toBeGreaterThan(50);
});
