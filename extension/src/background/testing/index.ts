/** For tests: a fake browser and server, and time that passes only when a test says so. */
import { vi } from "vitest";
import type { Reply, Status } from "../../messages";
import { tick } from "../../outbox/testing";
import { FakeBrowser } from "./fake-browser";
import { FakeHttpServer } from "./fake-server";
import { type FakeWorker, startWorker } from "./fake-worker";

export { ACCOUNT, FakeBrowser, type FakeTab, tab } from "./fake-browser";
export { type FakeHttpServer } from "./fake-server";
export { type FakeWorker, startWorker } from "./fake-worker";

const STEP_MS = 50;

export function setUp(): { readonly browser: FakeBrowser; readonly server: FakeHttpServer } {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_800_000_000_000 });
  const server = new FakeHttpServer();
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("navigator", { storage: { estimate: () => Promise.resolve({ usage: 0, quota: 1e12 }) } });
  return { browser: new FakeBrowser(), server };
}

/** A worker that has just started to record. */
export async function startRecording(browser: FakeBrowser): Promise<FakeWorker> {
  const worker = await startWorker(browser);
  await advance(100);
  await worker.ask({ ask: "start" });
  await advance(100);
  return worker;
}

/** Let time pass, with event loop ticks for everything that is under way. */
export async function advance(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, left));
    await ticks(10);
  }
}

/** Event loop ticks without time passing. */
export async function ticks(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await tick();
}

/** The browser's own work, such as gzip, takes as long as it takes. */
export async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await advance(STEP_MS);
}

export function statusOf(reply: Reply): Status {
  if (!reply.ok) throw new Error(reply.reason);
  return reply.status;
}

export async function askStatus(worker: FakeWorker): Promise<Status> {
  return statusOf(await worker.ask({ ask: "status" }));
}

/** Stop recording, and wait until the server has everything. */
export async function stop(worker: FakeWorker): Promise<Status> {
  const answered = worker.ask({ ask: "stop" });
  await waitUntil(() => Promise.race([answered.then(() => true), tick().then(() => false)]));
  return allSent(worker);
}

export async function allSent(worker: FakeWorker): Promise<Status> {
  for (;;) {
    const status = await askStatus(worker);
    if (status.unsent === 0 && !status.isStopping) return status;
    await advance(STEP_MS);
  }
}
