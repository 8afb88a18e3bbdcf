import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { click, inside, me, nothing, ok, open, sent, serve, stubDialogs } from "../testing";
import { tickingOf } from "./health";
import { rowsOf } from "./queues";
import { inBytes } from "../ui/sizes";

const NOW = "2026-11-16T10:00:00Z";
const device = {
  id: "d",
  email: "mina@example.com",
  name: "Chrome on Linux",
  connected_at: NOW,
  last_seen_at: NOW,
  last_batch_at: "2026-11-16T09:50:00Z",
  recording: 1,
  events: 1_234,
  rejected: 2,
  incomplete: 0,
  waiting: 3,
  reasons: [{ reason: "type: DANCED", events: 2 }],
};
const health = {
  now: NOW,
  throughput: [
    {
      queue: "default",
      succeeded: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4],
      dead: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    },
  ],
  devices: [device],
  system: {
    version: "9.8.7",
    up_s: 7_300,
    database: "18.6",
    database_bytes: 12_345_678,
    disk_free_bytes: 5e9,
    people: 2,
    sessions: 1_000,
    scheduled_at: NOW,
  },
};
const job = {
  id: 7,
  queue: "default",
  kind: "crawl:url",
  domain: "shop.example",
  attempts: 5,
  max_attempts: 5,
  finished_at: NOW,
  last_error: "403 from the shop",
};
const server = {
  ...inside,
  "GET /v1/admin/operations": ok(health),
  "GET /v1/queues": ok({
    depths: [
      { queue: "default", lane: "default", ready: 3, waiting: 1, running: 2, dead: 1, oldest_ready_s: 75 },
    ],
    failing_domains: [{ domain: "shop.example", dead: 1, last_error: "403 from the shop" }],
  }),
  "GET /v1/jobs": ok({ items: [job], next_cursor: null }),
};

test("the owner sees what waits, what failed, and who stopped sending", async () => {
  serve(server);
  open("/operations");
  const table = await screen.findByRole("table");
  expect(
    within(table)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["3", "1", "2", "1", "1 min 15 s", "7 per hour · 1 failed"]);
  // On a phone, where the head of the table has no room, each figure has its name beside it.
  const names = within(table)
    .getAllByRole("columnheader")
    .map((head) => head.textContent);
  expect(
    within(table)
      .getAllByRole("cell")
      .map((cell) => cell.dataset["name"]),
  ).toEqual(names.slice(1));
  expect(screen.getByText("stopped sending")).toBeDefined();
  expect(screen.getByText("2 events rejected")).toBeDefined();
  expect(screen.getByText("3 events still missing")).toBeDefined();
  expect(screen.getByText("type: DANCED")).toBeDefined();
  expect(screen.getByText("2 h 2 min")).toBeDefined();
  expect(screen.queryByText("Everything is running normally.")).toBeNull();
  expect(screen.getByText("1 job failed.")).toBeDefined();
  expect(screen.getByText("1 browser is recording but has stopped sending.")).toBeDefined();
  expect(screen.getByText(/^1 queue is delayed/)).toBeDefined();
});

const quiet = {
  ...server,
  "GET /v1/queues": ok({ depths: [], failing_domains: [] }),
  "GET /v1/jobs": ok({ items: [], next_cursor: null }),
};
const systemWith = (change: object) =>
  ok({ ...health, devices: [], system: { ...health.system, ...change } });

test.each([
  { scheduled_at: NOW, up_s: 7_300, said: /^No failed jobs[^.]*reporting\.$/ },
  { scheduled_at: null, up_s: 20, said: /its scheduler hasn’t run yet/ },
  { scheduled_at: null, up_s: 7_300, said: /^No scheduler has ever run here/ },
  { scheduled_at: "2026-11-16T09:50:00Z", up_s: 7_300, said: /hasn’t run for more than five minutes/ },
])("what is said of a scheduler is true: $said", async ({ said, ...change }) => {
  serve({ ...quiet, "GET /v1/admin/operations": systemWith(change) });
  open("/operations");
  expect(await screen.findByText(said)).toBeDefined();
  const isWell = tickingOf({ ...health.system, ...change }, Date.parse(NOW));
  expect(screen.queryByText("Everything is running normally.") !== null).toBe(
    isWell === "ticks" || isWell === "awaited",
  );
});

test("a dead job is retried at once, and discarded when asked twice", async () => {
  stubDialogs();
  const asked = serve({ ...server, "POST /v1/jobs/7/retry": ok(job), "DELETE /v1/jobs/7": nothing });
  open("/operations");
  await click("Retry job 7, crawl:url");
  expect(await screen.findByText("Job 7 will run again.")).toBeDefined();
  await click("Discard job 7, crawl:url");
  expect(sent(asked, "DELETE")).toHaveLength(0);
  const dialog = await screen.findByRole("dialog");
  fireEvent.click(within(dialog).getByRole("button", { name: "Discard" }));
  expect(await screen.findByText("Job 7 was discarded.")).toBeDefined();
});

test("several dead jobs are retried together", async () => {
  const jobs = ok({ items: [job, { ...job, id: 8 }], next_cursor: null });
  const asked = serve({ ...server, "GET /v1/jobs": jobs, "POST /v1/jobs/retry": ok({ retried: 2 }) });
  open("/operations");
  await click("Retry all");
  expect(await screen.findByText("2 jobs will run again.")).toBeDefined();
  expect(sent(asked, "POST")).toHaveLength(1);
});

test("it is nobody's business but the owner's", async () => {
  serve({ ...server, "GET /v1/me": ok({ ...me, role: "user" }) });
  open("/operations");
  expect(await screen.findByRole("heading", { name: "Page not found" })).toBeDefined();
  expect(screen.queryByRole("link", { name: "Operations" })).toBeNull();
});

test("lanes of a queue are one row, and a queue that only worked has one too", () => {
  const lane = { ready: 1, waiting: 0, running: 0, dead: 0, oldest_ready_s: 5 };
  const rows = rowsOf(
    [
      { queue: "a", lane: "low", ...lane },
      { queue: "a", lane: "critical", ...lane, oldest_ready_s: null },
    ],
    [{ queue: "b", succeeded: [1, 2], dead: [0, 0] }],
  );
  expect(rows.map(({ queue, ready, oldestS }) => [queue, ready, oldestS])).toEqual([
    ["a", 2, 5],
    ["b", 0, null],
  ]);
});

test("bytes have a unit that can be read", () => {
  expect(inBytes(0, "en")).toBe("0 byte");
  expect(inBytes(12_345_678, "en")).toBe("12 MB");
  expect(inBytes(5_100_000_000, "en")).toBe("5.1 GB");
});
