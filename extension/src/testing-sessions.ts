/**
 * Random sessions of a browser, recorded as the extension records them: the events it would send, and what its popup counts.
 * `tests/cli/test_agreement.py` bundles this, sends the events to a server, and compares the figures.
 */
import "fake-indexeddb/auto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Rules } from "./capture/exclusions";
import type { Observation, OpenTab } from "./capture/observations";
import { pageIdentity } from "./capture/page-identity";
import { allOf, type Database, openDatabase } from "./outbox/database";
import { begin, countsOf, current, end, nameOf, record } from "./outbox/recordings";

const RULES: Rules = { excluded: ["bank.example"], only: null };
const URLS = [
  "https://a.example/1",
  "http://www.a.example/1/",
  "https://a.example/2?b=1&a=2",
  "https://a.example/2?a=2&b=1#part",
  "https://app.example/mail#/inbox",
  "https://app.example/mail#/sent",
  "https://b.example/",
  "https://online.bank.example/account",
  "about:blank",
];
const ALARM_MS = 30_000;
const THRESHOLD_MS = 60_000;

/** Mulberry32: the same sessions in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One page has one title: the popup does not look for new documents at the same address, as the server does. */
function titleOf(url: string): string {
  return url.startsWith("http") ? `Title of ${pageIdentity(url)}` : "";
}

class Browser {
  readonly observed: Observation[] = [];
  private readonly tabs = new Map<number, { windowId: number; url: string; isPrivate: boolean }>();
  private readonly active = new Map<number, number>();
  private focused = 1;
  private presence: "active" | "idle" | "locked" = "active";
  private lastTab = 0;
  private nextAlarm: number;
  private t: number;
  private readonly next: () => number;

  constructor(t: number, next: () => number) {
    this.t = t;
    this.next = next;
    this.nextAlarm = t + ALARM_MS;
    this.open();
    this.observed.length = 0;
    this.snapshot(false);
  }

  get now(): number {
    return this.t;
  }

  act(): void {
    const chance = this.next();
    if (chance < 0.12) this.open();
    else if (chance < 0.18) this.close();
    else if (chance < 0.32) this.show();
    else if (chance < 0.6) this.go();
    else if (chance < 0.66) this.redirect();
    else if (chance < 0.78) this.focus();
    else if (chance < 0.86) this.away();
    else if (chance < 0.93) this.read();
    else if (chance < 0.95) this.restart();
    else this.pass(600_000 * this.next(), this.next() < 0.5);
    this.pass(this.next() < 0.3 ? 0 : 40_000 * this.next() ** 2, true);
  }

  /** Time passes, with alarms unless the computer sleeps. */
  private pass(ms: number, isAwake: boolean): void {
    this.t = Math.floor(this.t + ms);
    for (; this.nextAlarm <= this.t; this.nextAlarm += ALARM_MS)
      if (isAwake) this.observed.push({ kind: "tick", t: this.nextAlarm });
  }

  private one<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.next() * of.length)];
  }

  private url(): string {
    return this.one(URLS) ?? "about:blank";
  }

  private open(): void {
    const isPrivate = this.next() < 0.1;
    const [id, windowId, url] = [++this.lastTab, isPrivate ? 11 : this.next() < 0.7 ? 1 : 2, this.url()];
    this.tabs.set(id, { windowId, url, isPrivate });
    this.active.set(windowId, id);
    const at = { t: this.t, tabId: id };
    this.observed.push(
      { kind: "created", ...at, windowId, isPrivate },
      { kind: "activated", ...at, windowId },
    );
    this.pass(5 * this.next(), true);
    this.commit(id, url, "typed");
  }

  private commit(tabId: number, url: string, transition: string, qualifiers: string[] = []): void {
    const isSameDocument = transition === "link" && this.next() < 0.2;
    this.observed.push({ kind: "committed", t: this.t, tabId, url, isSameDocument, transition, qualifiers });
    if (this.next() < 0.7) {
      this.pass(20 * this.next(), true);
      this.observed.push({ kind: "updated", t: this.t, tabId, title: titleOf(url) });
    }
  }

  private go(): void {
    const id = this.one([...this.tabs.keys()]);
    const tab = id === undefined ? undefined : this.tabs.get(id);
    if (id === undefined || tab === undefined) return;
    tab.url = this.url();
    this.commit(id, tab.url, this.one(["link", "typed", "reload", "form_submit"]) ?? "link");
  }

  private redirect(): void {
    const id = this.one([...this.tabs.keys()]);
    const tab = id === undefined ? undefined : this.tabs.get(id);
    if (id === undefined || tab === undefined) return;
    this.commit(id, this.url(), "link");
    this.pass(3_000 * this.next(), true);
    tab.url = this.url();
    this.commit(id, tab.url, "link", ["client_redirect"]);
  }

  private show(): void {
    const id = this.one([...this.tabs.keys()]);
    const tab = id === undefined ? undefined : this.tabs.get(id);
    if (id === undefined || tab === undefined) return;
    this.active.set(tab.windowId, id);
    this.observed.push({ kind: "activated", t: this.t, tabId: id, windowId: tab.windowId });
  }

  private close(): void {
    const id = this.one([...this.tabs.keys()]);
    const tab = id === undefined ? undefined : this.tabs.get(id);
    if (id === undefined || tab === undefined || this.tabs.size === 1) return;
    this.tabs.delete(id);
    this.observed.push({ kind: "removed", t: this.t, tabId: id });
    if (this.active.get(tab.windowId) !== id) return;
    this.active.delete(tab.windowId);
    const left = [...this.tabs].find(([, other]) => other.windowId === tab.windowId);
    if (left === undefined) return;
    this.active.set(tab.windowId, left[0]);
    this.observed.push({ kind: "activated", t: this.t, tabId: left[0], windowId: tab.windowId });
  }

  private focus(): void {
    this.focused = this.one([-1, 1, 1, 2, 11]) ?? 1;
    this.observed.push({ kind: "focused", t: this.t, windowId: this.focused });
  }

  private away(): void {
    const state = this.presence === "active" ? (this.one(["idle", "locked"] as const) ?? "idle") : "active";
    this.presence = state;
    this.observed.push({ kind: "idle", t: this.t, state, thresholdMs: THRESHOLD_MS });
  }

  private read(): void {
    const id = this.one([...this.tabs.keys()]);
    const tab = id === undefined ? undefined : this.tabs.get(id);
    if (id === undefined || tab === undefined || tab.isPrivate) return;
    const of = { t: this.t, tabId: id, url: tab.url };
    const meta = { title: titleOf(tab.url) };
    this.observed.push(
      { kind: "content", ...of, content: `Text of ${tab.url}`, extractionOk: true, meta },
      { kind: "highlight", ...of, text: `Marked, number ${this.observed.length}` },
    );
  }

  private restart(): void {
    this.pass(400_000 * this.next(), false);
    this.presence = "active";
    this.snapshot(true);
  }

  private snapshot(isRestart: boolean): void {
    const tabs: OpenTab[] = [...this.tabs].map(([id, { windowId, url, isPrivate }]) => ({
      id,
      windowId,
      url,
      isPrivate,
      isActive: this.active.get(windowId) === id,
    }));
    const { t, focused: focusedWindowId } = this;
    this.observed.push({ kind: "snapshot", t, tabs, focusedWindowId, isRestart });
  }
}

/** One session: its events, and what the popup says of it just before it is stopped. */
async function recorded(db: Database, number: number, startedAt: number): Promise<object> {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const browser = new Browser(startedAt, random(number));
  for (let act = 0; act < 5 + (number % 8) * 8; act++) browser.act();
  await begin(db, id, "reader", startedAt);
  const opened: Observation = { kind: "tick", t: browser.now }; // the popup is opened: the browser is awake
  for (const observation of [...browser.observed, opened]) await record(db, observation, RULES);
  const recording = await current(db);
  if (recording === null) throw new Error("nothing is being recorded");
  const endedAt = browser.now + 1_000;
  const pages = await db.getAll("pages", allOf(id));
  const stays = pages.map((page) => (page === true ? 0 : page.ms));
  const { foreground } = recording.capture;
  const events = (await db.getAll("events", allOf(id))).map(({ event }) => event);
  const said = {
    id,
    startedAt,
    endedAt,
    events,
    ...(await countsOf(db, recording)),
    name: await nameOf(db, recording, endedAt),
    ms: stays.reduce((sum, ms) => sum + ms, foreground ? endedAt - foreground.since : 0),
  };
  await end(db, endedAt);
  return said;
}

const { count, startedAt, apartMs } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Record<
  "count" | "startedAt" | "apartMs",
  number
>;
const db = await openDatabase();
const all: object[] = [];
for (let number = 0; number < count; number++)
  all.push(await recorded(db, number, startedAt + number * apartMs));
writeFileSync(process.argv[3] ?? "", JSON.stringify(all));
