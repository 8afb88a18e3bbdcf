import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { library, page } from "../library/testing";
import { click, here, nothing, ok, open, problem, sent, serve, stubDialogs, type } from "../testing";
import { lookAgain } from "./api";
import { dead, product, run, schedule, shops, small, task } from "./testing";

const OF = `/v1/crawl/schedules/${schedule.id}`;

beforeEach(() => {
  stubDialogs();
});

test("a watched page says when it runs, runs now, and is paused", async () => {
  const asked = serve({ ...shops, [`POST ${OF}/run`]: ok(task, 202), [`PATCH ${OF}`]: ok(schedule) });
  open("/shops");
  expect(await screen.findByText(/every day at 0?8:00.* \(Asia\/Seoul\) · 2 products/)).toBeDefined();
  expect(screen.getByText(/Last run .* · Next run /)).toBeDefined();
  await click("Run now: Lamps");
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.path).toBe(`${OF}/run`);
  });
  await click("Pause");
  await waitFor(() => {
    expect(sent(asked, "PATCH")[0]?.body).toEqual({ status: "INACTIVE" });
  });
});

test("a site that blocked us says so, and until when", async () => {
  const blocked = { ...schedule, breaker: "OPEN", breaker_until: "2026-11-17T12:00:00Z" };
  serve({
    ...shops,
    "GET /v1/crawl/schedules": ok({ items: [blocked], next_cursor: null }),
    [`GET ${OF}`]: ok(blocked),
  });
  open("/shops");
  expect(await screen.findByText("blocked by the site")).toBeDefined();
  await click("Lamps", "link");
  expect(await screen.findByText(/shop\.example blocked MindHit’s requests/)).toBeDefined();
  expect(screen.getByText(/Next attempt /)).toBeDefined();
});

test("without a watched page, the list says what to do", async () => {
  serve({ ...shops, "GET /v1/crawl/schedules": ok({ items: [], next_cursor: null }) });
  open("/shops");
  await click("Watch your first page", "link");
  expect(await screen.findByRole("heading", { name: "Watch a page" })).toBeDefined();
});

test("a page is added: its times are chosen, and the next runs shown before", async () => {
  const asked = serve({ ...shops, "POST /v1/crawl/schedules": ok(schedule, 201) });
  open("/shops/add");
  await click("Watch this page");
  expect(await screen.findByText("Please fill this in.")).toBeDefined();
  await type("Address", schedule.url);
  fireEvent.change(screen.getByLabelText("How often"), { target: { value: "weekly" } });
  fireEvent.change(screen.getByLabelText("Day"), { target: { value: "5" } });
  await type("At", "07:30");
  await waitFor(() => {
    const previews = sent(asked, "POST").filter(({ path }) => path === "/v1/crawl/preview");
    expect(previews.at(-1)?.body).toEqual({ cron: "30 7 * * 5", timezone: "Asia/Seoul", url: schedule.url });
  });
  expect(await screen.findByText(/This looks like a category/)).toBeDefined();
  fireEvent.change(screen.getByLabelText("Alerts"), { target: { value: "own" } });
  fireEvent.click(screen.getByLabelText("a price rises"));
  await type("Minimum price increase (%)", "12.5");
  await click("Watch this page");
  await waitFor(() => {
    expect(here()).toBe(`/shops/schedules/${schedule.id}`);
  });
  expect(sent(asked, "POST").find(({ path }) => path === "/v1/crawl/schedules")?.body).toEqual({
    url: schedule.url,
    name: null,
    cron: "30 7 * * 5",
    timezone: "Asia/Seoul",
    alerts: { price_down: 5, price_up: 12.5, back_in_stock: true, gone: false },
  });
});

test("what is wrong with a schedule stands at its field, and a page that is watched leads there", async () => {
  const wrong = problem(422, "bad-schedule", { errors: [{ pointer: "/cron", kind: "bad_cron" }] });
  const preview = ok({ runs: [], site: "jsonld", target: "product", watched_by: schedule.id });
  serve({ ...shops, "POST /v1/crawl/preview": preview, "POST /v1/crawl/schedules": wrong });
  open("/shops/add?url=https%3A%2F%2Fshop.example%2Fp&name=Lamp");
  expect(await screen.findByText("You’re already watching this page.")).toBeDefined();
  expect(screen.getByLabelText("Name")).toHaveProperty("value", "Lamp");
  fireEvent.change(screen.getByLabelText("How often"), { target: { value: "custom" } });
  await type("Cron expression", "* * * * *");
  await click("Watch this page");
  const said = await screen.findByText(/and no more often than every five minutes\.$/);
  expect(screen.getByLabelText("Cron expression").getAttribute("aria-describedby")).toContain(said.id);
});

test.each([
  ["jsonld", "Any shop"],
  ["example", "example"],
])("how a page is read is said in words, where there are some: %s", async (site, said) => {
  serve({ ...shops, [`GET ${OF}`]: ok({ ...schedule, site }) });
  open(`/shops/schedules/${schedule.id}`);
  expect(await screen.findByText(said)).toBeDefined();
});

test("a watched page is changed, and removed after a question", async () => {
  const asked = serve({
    ...shops,
    [`PATCH ${OF}`]: ok({ ...schedule, name: "Desk lamps" }),
    [`DELETE ${OF}`]: nothing,
  });
  open(`/shops/schedules/${schedule.id}`);
  await type("Name", "Desk lamps");
  await click("Save");
  expect(await screen.findByText("Saved.")).toBeDefined();
  expect(sent(asked, "PATCH")[0]?.body).toEqual({
    name: "Desk lamps",
    cron: "0 8 * * *",
    timezone: "Asia/Seoul",
    alerts: null,
  });
  await click("Stop watching");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Stop watching" }));
  await waitFor(() => {
    expect(here()).toBe("/shops");
  });
  expect(sent(asked, "DELETE")[0]?.path).toBe(OF);
});

test("a run shows its pages, those that failed, and their tries", async () => {
  const failed = {
    id: "0d000000-0000-4000-8000-000000000009",
    attempt: 1,
    user_agent: null,
    status: "FAILED",
    http_status: 404,
    duration_ms: 120,
    error: "404",
    started_at: task.created_at,
    finished_at: task.finished_at,
  };
  const asked = serve({
    ...shops,
    [`GET /v1/crawl/tasks/${task.id}`]: ok({ task, executions: [failed] }),
  });
  open("/shops/runs");
  await click("Lamps", "link");
  expect(await screen.findByText("Partly failed")).toBeDefined();
  expect(screen.getByText("5 pages, 4 fetched, 1 failed")).toBeDefined();
  fireEvent.change(screen.getByLabelText("Status"), { target: { value: "FAILED" } });
  await waitFor(() => {
    const query = asked.filter(({ path }) => path === "/v1/crawl/tasks").at(-1)?.query;
    expect([query?.get("run_id"), query?.get("status")]).toEqual([run.id, "FAILED"]);
  });
  const tries = (await screen.findByText("Attempts")).closest("details");
  if (!tries) throw new Error("no tries");
  tries.open = true;
  fireEvent(tries, new Event("toggle"));
  expect(await screen.findByText(/failed · HTTP 404 · 120 ms/)).toBeDefined();
});

test("products are searched and filtered, and the address keeps it", async () => {
  const asked = serve(shops);
  open("/shops/products");
  expect(await screen.findByText("€18 – €25")).toBeDefined();
  await type("Search products", "lamp");
  fireEvent.change(screen.getByLabelText("Stock"), { target: { value: "out" } });
  await waitFor(() => {
    const query = asked.filter(({ path }) => path === "/v1/crawl/products").at(-1)?.query;
    expect([query?.get("search"), query?.get("stock")]).toEqual(["lamp", "out"]);
  });
  expect(new URLSearchParams(location.search).get("q")).toBe("lamp");
  await click("Products", "link");
  await waitFor(() => {
    expect(screen.getByLabelText("Search products")).toHaveProperty("value", "");
  });
});

test.each([
  ["one that the list is too short for", ok({ ...schedule, id: "other", name: "The 201st" }), "The 201st"],
  ["one that was removed", problem(404, "not-found"), "A page you no longer watch"],
])("the page that a list is about is shown: %s", async (_, answer, shown) => {
  const asked = serve({ ...shops, "GET /v1/crawl/schedules/other": answer });
  open("/shops/products?page=other");
  await screen.findByRole("option", { name: shown });
  expect(screen.getByLabelText("Watched page")).toHaveProperty("value", "other");
  expect(asked.find(({ path }) => path === "/v1/crawl/products")?.query.get("scheduler_id")).toBe("other");
  fireEvent.change(screen.getByLabelText("Watched page"), { target: { value: schedule.id } });
  await waitFor(() => {
    expect(screen.queryByRole("option", { name: shown })).toBeNull();
  });
});

test("what has been under way for long, or waits for its site, is looked at less often", () => {
  const now = Date.parse("2026-11-17T00:10:00Z");
  const [justNow, before] = [{ since: "2026-11-17T00:09:30Z" }, { since: "2026-11-17T00:08:00Z" }];
  expect(lookAgain([], now)).toBe(false);
  expect(lookAgain([before, justNow], now)).toBe(2_000);
  expect(lookAgain([before], now)).toBe(15_000);
  expect(lookAgain([before, { ...justNow, isVisited: false }], now)).toBe(15_000);
});

test("a product that is no longer listed isn’t drawn as in stock until now", async () => {
  const gone = { ...product, gone_at: "2026-11-12T00:00:00Z" };
  serve({ ...shops, [`GET /v1/crawl/products/${product.id}`]: ok({ product, options: [small] }) });
  open(`/shops/products/${product.id}`);
  const listed = await bandOf();
  serve({ ...shops, [`GET /v1/crawl/products/${product.id}`]: ok({ product: gone, options: [small] }) });
  open(`/shops/products/${product.id}`);
  expect(await bandOf()).toBeLessThan(listed);
});

test("a product has a chart of its price, another for each option, and the same as a table", async () => {
  serve(shops);
  open(`/shops/products/${product.id}`);
  expect(
    await screen.findByRole("img", { name: /^€18 since .*, 10% less than before \(€20\)\.$/ }),
  ).toBeDefined();
  fireEvent.change(screen.getByLabelText("Option"), {
    target: { value: "0d000000-0000-4000-8000-000000000006" },
  });
  expect(screen.getByRole("img", { name: /^€25, unchanged since / })).toBeDefined();
  fireEvent.click(screen.getByText("As a table"));
  const rows = within(screen.getByRole("region", { name: "As a table" })).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual([
    "WhenOptionPriceStock",
    expect.stringMatching(/Large€25Out of stock$/),
    expect.stringMatching(/Small€18In stock$/),
    expect.stringMatching(/Large€25In stock$/),
    expect.stringMatching(/Small€20In stock$/),
  ]);
  expect(screen.getByText("3 left", { exact: false })).toBeDefined();
});

test("what was given up says why, is tried again, or discarded after a question", async () => {
  const asked = serve({
    ...shops,
    [`POST /v1/crawl/dead/${dead.id}/retry`]: nothing,
    [`DELETE /v1/crawl/dead/${dead.id}`]: nothing,
  });
  open("/shops/failed");
  await click("Try again: desk-lamp");
  expect(await screen.findByText("Trying desk-lamp again.")).toBeDefined();
  expect(sent(asked, "POST")[0]?.path).toBe(`/v1/crawl/dead/${dead.id}/retry`);
  await click("Discard");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Discard" }));
  await waitFor(() => {
    expect(sent(asked, "DELETE")[0]?.path).toBe(`/v1/crawl/dead/${dead.id}`);
  });
});

test("alerts are chosen for all pages", async () => {
  const asked = serve({
    ...shops,
    "PUT /v1/crawl/alerts": ({ body }) => Response.json(body),
  });
  open("/shops/alerts");
  fireEvent.click(await screen.findByLabelText("a price falls"));
  fireEvent.click(screen.getByLabelText("something is no longer listed"));
  await click("Save");
  expect(await screen.findByText("Saved.")).toBeDefined();
  expect(sent(asked, "PUT")[0]?.body).toEqual({
    price_down: null,
    price_up: null,
    back_in_stock: true,
    gone: true,
  });
});

test("a saved page can be watched", async () => {
  serve({ ...library, ...shops, "GET /v1/pages/p1": ok(page("p1")) });
  open("/library/pages/p1");
  await click("Watch this page", "link");
  expect(await screen.findByLabelText("Address")).toHaveProperty("value", "https://site.example/p1");
});

/** Where the last period of the drawn stock ends, in pixels. */
async function bandOf(): Promise<number> {
  const chart = await screen.findByRole("img", { name: /€18/ });
  const last = [...chart.querySelectorAll("rect")].at(-1);
  return Number(last?.getAttribute("x")) + Number(last?.getAttribute("width"));
}
