/** Whatever is stored, sent, answered, lost and killed in whatever order: all that was stored comes, once, in order. */
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
  readonly stored = new Set<string>(); // told to be stored
  readonly tried = new Set<string>();
  clock = 1_000_000;
  /** What went wrong though nobody had died. */
  readonly errors: unknown[] = [];
  private life: KillableDatabase;
  private sender: Sender;

  private readonly disk: Database;

  constructor(disk: Database) {
    this.disk = disk;
    this.life = killable(disk);
    this.sender = this.makeSender();
  }

  private makeSender(): Sender {
    return new Sender({
      db: this.life.db,
      server: this.server,
      owner: () => Promise.resolve(OWNER),
      now: () => this.clock,
      random: () => 0.5,
    });
  }

  store(): Promise<unknown> {
    const text = `mark ${this.tried.size}`;
    this.tried.add(text);
    return record(
      this.life.db,
      { kind: "highlight", t: this.clock, tabId: this.tried.size, url: "http://a.example/", text },
      RULES,
    ).then((taken) => taken !== null && this.stored.add(text), this.mourn());
  }

  flush(): Promise<unknown> {
    return this.sender.flush(true).catch(this.mourn());
  }

  /** Whatever fails fails because its life has ended. */
  private mourn(): (error: unknown) => void {
    const { life } = this;
    return (error) => {
      if (!life.isKilled()) this.errors.push(error);
    };
  }

  kill(): void {
    this.life.kill();
    this.life = killable(this.disk);
    this.sender = this.makeSender();
  }
}

function textsOf(events: readonly { payload?: { text?: string | null } | null }[]): string[] {
  return events.map((event) => event.payload?.text ?? "");
}

test("stored = acked + held, no hole, nothing twice", async () => {
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

        const held = (await disk.getAll("events", allOf(ID))).map((each) => each.event);
        const there = world.server.events(ID);
        const known = new Set(textsOf([...there, ...held]));
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
