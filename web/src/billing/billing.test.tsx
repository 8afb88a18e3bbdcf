import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  click,
  detailOf,
  inside,
  ok,
  open,
  problem,
  sent,
  serve,
  session,
  stubDialogs,
  type Server,
} from "../testing";
import type { BillingState, Plan, UsageDay } from "./api";
import { barsOf, topOf, totalsOf } from "./usage";

beforeEach(() => {
  stubDialogs();
});

afterEach(() => {
  vi.useRealTimers();
});

const state: BillingState = {
  is_on: true,
  plan: "free",
  plan_name: "Free",
  status: null,
  is_granted: false,
  cancel_at_period_end: false,
  period: { start: "2026-11-01T00:00:00Z", end: "2026-12-01T00:00:00Z" },
  tokens: { used: 41_000, reserved: 2_000, limit: 50_000, is_used_up: false },
  sessions_at_once: 1,
  features: ["models"],
};
const free: Plan = {
  id: "free",
  name: "Free",
  price_cents: 0,
  billing_period: "monthly",
  token_limit: 50_000,
  session_retention_days: 30,
  max_concurrent_sessions: 1,
  features: ["models"],
  is_for_sale: false,
};
const pro: Plan = {
  ...free,
  id: "pro",
  name: "Pro",
  price_cents: 1200,
  token_limit: 500_000,
  session_retention_days: null,
  max_concurrent_sessions: 5,
  features: ["models", "watching", "something-new"],
  is_for_sale: true,
};
const day: UsageDay = {
  date: "2026-11-02",
  operation: "summarise",
  engine: "openai",
  model: "gpt",
  tokens: 30_000,
  calls: 12,
};
const days = [day, { ...day, operation: "topics", tokens: 11_000, calls: 2 }, { ...day, date: "2026-11-04" }];
const invoice = {
  id: "0e000000-0000-4000-8000-000000000001",
  amount_cents: 1200,
  currency: "usd",
  status: "paid",
  paid_at: "2026-11-01T00:00:00Z",
  created_at: "2026-11-01T00:00:00Z",
  url: "https://invoice.example/1",
};
const billing: Server = {
  ...inside,
  "GET /v1/billing": ok(state),
  "GET /v1/billing/usage": ok({ days }),
  "GET /v1/billing/invoices": ok({ invoices: [invoice], next: null }),
  "GET /v1/plans": ok({ is_on: true, currency: "USD", plans: [free, pro] }),
};

test("usage is shown against the limit, day by day and by what it was for", async () => {
  serve(billing);
  open("/settings/plan");
  expect(await screen.findByText("41,000 of 50,000 tokens used")).toBeDefined();
  expect(screen.getByText(/Up to 2,000 more are reserved/)).toBeDefined();
  expect(await screen.findByRole("img", { name: "Tokens per day" })).toBeDefined();
  const summaries = screen.getByRole("row", { name: "Summaries 24 60,000" });
  expect(summaries).toBeDefined();
  fireEvent.click(screen.getByText("Day by day"));
  const table = screen.getByRole("region", { name: "Day by day" });
  expect(within(table).getByText("Summaries 30,000, Mind map topics 11,000")).toBeDefined();
});

test.each([true, false])(
  "that the tokens are used up is said where no call fits any more: %s",
  async (isUsedUp) => {
    const tokens = { used: 49_500, reserved: 0, limit: 50_000, is_used_up: isUsedUp };
    serve({ ...billing, "GET /v1/billing": ok({ ...state, tokens }) });
    open("/settings/plan");
    expect(await screen.findByText("49,500 of 50,000 tokens used")).toBeDefined();
    expect(screen.queryByText(/tokens are left/) !== null).toBe(isUsedUp);
  },
);

test("a plan is bought at the payment provider", async () => {
  const asked = serve({ ...billing, "POST /v1/billing/checkout": ok({ url: "#paying" }) });
  open("/settings/plan");
  expect(await screen.findByText("$12.00 a month")).toBeDefined();
  expect(screen.getByText("Watching shops")).toBeDefined();
  await click("Upgrade to Pro");
  await waitFor(() => {
    expect(sent(asked, "POST")[0]?.body).toEqual({ plan_id: "pro" });
  });
  await waitFor(() => {
    expect(location.hash).toBe("#paying");
  });
  expect(screen.queryByRole("button", { name: "Upgrade to Free" })).toBeNull();
});

test("a cancelled subscription says when it ends, an unpaid one what to do; a portal that fails is explained", async () => {
  const paid = { ...state, plan: "pro", status: "past_due", cancel_at_period_end: true };
  serve({
    ...billing,
    "GET /v1/billing": ok(paid),
    "POST /v1/billing/portal": problem(502, "payment-failed"),
  });
  open("/settings/plan");
  expect(await screen.findByText(/^Cancelled: ends on .*2026/)).toBeDefined();
  expect(screen.getByText(/Update your payment details/)).toBeDefined();
  await click("Manage subscription");
  expect(await screen.findByText(/payment provider isn’t responding/)).toBeDefined();
  expect(screen.queryByRole("button", { name: /Upgrade/ })).toBeNull();
});

test("prices are in the currency that is charged", async () => {
  const plans = [free, { ...pro, price_cents: 15_000 }];
  serve({ ...billing, "GET /v1/plans": ok({ is_on: true, currency: "KRW", plans }) });
  open("/settings/plan");
  expect(await screen.findByText("₩15,000 a month")).toBeDefined();
});

test("who has a plan that is no longer offered sees which", async () => {
  const old = { ...state, plan: "early", plan_name: "Early bird", status: "active" };
  serve({ ...billing, "GET /v1/billing": ok(old) });
  open("/settings/plan");
  expect(await screen.findByText(/You’re on the Early bird plan, which is no longer offered/)).toBeDefined();
  expect(screen.queryByText("your plan")).toBeNull();
});

test("a payment that is due doesn't say that the plan is renewed", async () => {
  serve({ ...billing, "GET /v1/billing": ok({ ...state, plan: "pro", status: "past_due" }) });
  open("/settings/plan");
  expect(await screen.findByText(/Update your payment details/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Change or cancel" })).toBeDefined();
  expect(screen.queryByText(/Renews on/)).toBeNull();
});

test("a plan that was granted has nothing to renew or to cancel", async () => {
  serve({
    ...billing,
    "GET /v1/billing": ok({ ...state, plan: "pro", status: "active", is_granted: true }),
  });
  open("/settings/plan");
  expect(await screen.findByText(/There’s nothing to pay/)).toBeDefined();
  expect(screen.queryByText(/Renews on/)).toBeNull();
  expect(screen.queryByRole("button", { name: /cancel/ })).toBeNull();
});

test("what isn't for sale can't be bought", async () => {
  serve({
    ...billing,
    "GET /v1/plans": ok({ is_on: true, currency: "USD", plans: [free, { ...pro, is_for_sale: false }] }),
  });
  open("/settings/plan");
  expect(await screen.findByText("$12.00 a month")).toBeDefined();
  expect(screen.queryByRole("button", { name: /Upgrade/ })).toBeNull();
});

test("after paying, the plan is asked for until it has changed, and no longer", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let now: BillingState = state;
  const asked = serve({ ...billing, "GET /v1/billing": () => ok(now)() });
  const times = () => asked.filter(({ path }) => path === "/v1/billing").length;
  open("/settings/plan?checkout=done");
  expect(await screen.findByText(/Your payment is being confirmed/)).toBeDefined();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(times()).toBeGreaterThan(3);
  now = { ...state, plan: "pro", status: "active" };
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await screen.findByText(/Your payment is confirmed/)).toBeDefined();
  expect(screen.getByText(/Renews on/)).toBeDefined();
  const before = times();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(times()).toBe(before);
});

test("a payment that isn't confirmed within a minute is not asked about any longer", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = serve(billing);
  open("/settings/plan?checkout=done");
  expect(await screen.findByText(/Your payment is being confirmed/)).toBeDefined();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await screen.findByText(/You don’t need to pay again/)).toBeDefined();
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked.length).toBe(before);
});

test("invoices lead to the payment provider's page", async () => {
  serve(billing);
  open("/settings/plan");
  const link = await screen.findByRole("link", { name: /Open the invoice from/ });
  expect(link.getAttribute("href")).toBe(invoice.url);
  expect(screen.getByText("$12.00")).toBeDefined();
});

test("without billing there is usage, and no price anywhere", async () => {
  const asked = serve({
    ...billing,
    "GET /v1/billing": ok({
      ...state,
      is_on: false,
      plan: "unlimited",
      tokens: { used: 41_000, reserved: 0, limit: null, is_used_up: false },
    }),
  });
  open("/settings/plan");
  expect(await screen.findByText("41,000 tokens used")).toBeDefined();
  expect(screen.getByText(/This server has no plans/)).toBeDefined();
  expect(screen.queryByText(/a month|Upgrade|Invoices/)).toBeNull();
  expect(asked.some(({ path }) => path === "/v1/plans" || path === "/v1/billing/invoices")).toBe(false);
});

const cost = {
  engine: "openai",
  model: "gpt-5-mini",
  payer: "plan",
  limitation: null,
  operations: [],
  at_most: 12_400,
  left: 9_000,
  is_enough: false,
};

test.each([
  [cost, [/at most 12,400 of your plan’s tokens \(gpt-5-mini\)/, /9,000 are left/, /may not be enough/]],
  [{ ...cost, payer: "own", left: null, is_enough: true }, [/12,400 tokens with your own provider/]],
  [{ ...cost, payer: null, limitation: "not-in-plan" }, [/costs nothing.*aren’t part of your plan/]],
])("what processing a session again costs is said before: %#", async (answer, said) => {
  const asked = serve({
    ...inside,
    [`GET /v1/sessions/${session.id}`]: ok(detailOf()),
    [`GET /v1/sessions/${session.id}/cost`]: ok(answer),
  });
  const parts = () =>
    asked.filter(({ path }) => path.endsWith("/cost")).map(({ query }) => query.getAll("again"));
  open(`/sessions/${session.id}`);
  await click("Process again…");
  for (const words of said) expect(await screen.findByText(words)).toBeDefined();
  expect(parts()).toEqual([["map"]]);
  for (const box of screen.getAllByRole("checkbox", { checked: false })) fireEvent.click(box);
  await waitFor(() => {
    expect(parts().at(-1)).toEqual(["map", "summaries"]);
  });
});

test("days without use are bars of nothing, and pieces are in one order", () => {
  const bars = barsOf(days, "2026-11-01", "2026-11-04");
  expect(bars.map(({ date, tokens }) => [date, tokens])).toEqual([
    ["2026-11-01", 0],
    ["2026-11-02", 41_000],
    ["2026-11-03", 0],
    ["2026-11-04", 30_000],
  ]);
  expect(bars[1]?.pieces.map(({ operation }) => operation)).toEqual(["summarise", "topics"]);
  expect(totalsOf(days)).toEqual([
    { operation: "summarise", tokens: 60_000, calls: 24 },
    { operation: "topics", tokens: 11_000, calls: 2 },
  ]);
});

test.each([
  [0, 10],
  [11, 20],
  [41_000, 50_000],
  [60_000, 100_000],
])("no bar of %i is higher than %i", (most, top) => {
  expect(topOf(most)).toBe(top);
});
