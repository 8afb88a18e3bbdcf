/** A shop that is watched, for tests. */
import { inside, ok, type Server } from "../testing";
import type { Change, DeadLetter, Option, Product, Run, Schedule, Task } from "./api";

const id = (n: number) => `0d000000-0000-4000-8000-00000000000${n}`;

export const schedule: Schedule = {
  id: id(1),
  name: "Lamps",
  seller: null,
  site: "jsonld",
  target: "listing",
  url: "https://shop.example/category/lamps",
  domain: "shop.example",
  cron: "0 8 * * *",
  timezone: "Asia/Seoul",
  status: "ACTIVE",
  alerts: null,
  next_run_at: "2026-11-17T23:00:00Z",
  last_run_at: "2026-11-16T23:00:00Z",
  created_at: "2026-11-01T00:00:00Z",
  products: 2,
  last_status: "SUCCESS",
  last_error: null,
  breaker: "CLOSED",
  breaker_until: null,
};
export const run: Run = {
  id: id(2),
  scheduler_id: schedule.id,
  name: schedule.name,
  domain: schedule.domain,
  status: "SUCCESS",
  last_error: null,
  created_at: "2026-11-16T23:00:00Z",
  finished_at: "2026-11-16T23:00:09Z",
  tasks: 5,
  succeeded: 4,
  failed: 1,
};
export const task: Task = {
  id: id(3),
  scheduler_id: schedule.id,
  parent_id: run.id,
  type: "DETAIL",
  item_key: "desk-lamp",
  url: "https://shop.example/product/desk-lamp",
  status: "FAILED",
  retry_count: 1,
  last_error: "404",
  created_at: run.created_at,
  finished_at: run.finished_at,
};
export const product: Product = {
  id: id(4),
  scheduler_id: schedule.id,
  site: "jsonld",
  item_key: "desk-lamp",
  url: "https://shop.example/product/desk-lamp",
  title: "Desk lamp",
  brand: "Farm",
  image: null,
  sku: "SKU-1",
  gtin: null,
  price_min: "18.0000",
  price_max: "25.0000",
  currency: "EUR",
  availability: "InStock",
  gone_at: null,
  created_at: "2026-11-01T00:00:00Z",
  updated_at: "2026-11-16T23:00:00Z",
  changed_at: "2026-11-10T23:00:00Z",
  options: 2,
};
export const small: Option = {
  id: id(5),
  option_key: "small",
  name: "Small",
  attributes: {},
  sku: null,
  price: "18.0000",
  currency: "EUR",
  availability: "InStock",
  quantity: 3,
  gone_at: null,
};
export const large: Option = {
  ...small,
  id: id(6),
  option_key: "large",
  name: "Large",
  price: "25.0000",
  availability: "OutOfStock",
  quantity: null,
};
const first = { at: "2026-11-01T00:00:00Z", currency: "EUR", availability: "InStock", quantity: null };
export const changes: readonly Change[] = [
  { ...first, option_id: small.id, price: "20.0000" },
  { ...first, option_id: large.id, price: "25.0000" },
  { ...first, option_id: small.id, price: "18.0000", at: "2026-11-10T23:00:00Z" },
  { ...first, option_id: large.id, price: "25.0000", at: "2026-11-11T23:00:00Z", availability: "OutOfStock" },
];
export const dead: DeadLetter = {
  id: task.id,
  what: "task",
  type: "DETAIL",
  item_key: "desk-lamp",
  url: task.url,
  error: "404",
  retry_count: 1,
  at: "2026-11-16T23:00:05Z",
};

const all = (...items: readonly unknown[]) => ok({ items, next_cursor: null });

export const shops: Server = {
  ...inside,
  "GET /v1/crawl/schedules": all(schedule),
  [`GET /v1/crawl/schedules/${schedule.id}`]: ok(schedule),
  "POST /v1/crawl/preview": ok({
    runs: ["2026-11-17T23:00:00Z", "2026-11-18T23:00:00Z", "2026-11-19T23:00:00Z"],
    site: "jsonld",
    target: "listing",
    watched_by: null,
  }),
  "GET /v1/crawl/alerts": ok({ price_down: 5, price_up: null, back_in_stock: true, gone: false }),
  "GET /v1/crawl/runs": all(run),
  [`GET /v1/crawl/runs/${run.id}`]: ok(run),
  "GET /v1/crawl/tasks": all(task),
  [`GET /v1/crawl/tasks/${task.id}`]: ok({ task, executions: [] }),
  "GET /v1/crawl/products": all(product),
  [`GET /v1/crawl/products/${product.id}`]: ok({ product, options: [small, large] }),
  [`GET /v1/crawl/products/${product.id}/history`]: ok({ items: changes }),
  "GET /v1/crawl/dead": all(dead),
};
