import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { click, inside, nothing, ok, open, problem, sent, serve, settings, type } from "../testing";

const own = {
  provider: "compatible",
  model: "llama",
  base_url: "https://models.example/v1",
  has_key: true,
  tested_at: null,
  updated_at: "2026-11-15T10:00:00Z",
};
const none = { is_allowed: true, own: null, installation: [] };
const server = {
  ...inside,
  "GET /v1/me/provider": ok(none),
  "GET /v1/me/usage": ok({ since: "2026-11-01T00:00:00Z", items: [] }),
};

test("a provider is chosen; its key isn't in the page afterwards", async () => {
  const asked = serve({ ...server, "PUT /v1/me/provider": ok({ ...none, own }) });
  open("/settings/model");
  await type("Provider", "compatible");
  await type("Model", "llama");
  await type("Address", "https://models.example/v1");
  await type("API key", "sk-secret");
  await click("Save");
  expect(await screen.findByText("Not tested yet.")).toBeDefined();
  // Nobody is told that nothing is sent anywhere, now that it is.
  expect(screen.getByText(/summarised by the provider you chose/)).toBeDefined();
  expect(screen.queryByText(/sends nothing anywhere/)).toBeNull();
  expect(sent(asked, "PUT")[0]?.body).toEqual({
    provider: "compatible",
    model: "llama",
    base_url: "https://models.example/v1",
    key: "sk-secret",
  });
  expect(screen.getByLabelText<HTMLInputElement>("API key").value).toBe("");
});

test("a test says whether it works, or why not", async () => {
  let result: object = { ok: false, model: "llama", error: "key-refused" };
  serve({
    ...server,
    "GET /v1/me/provider": ok({ ...none, own }),
    "POST /v1/me/provider/test": () => ok(result)(),
  });
  open("/settings/model");
  await click("Test it");
  expect(await screen.findByText("The provider doesn’t accept this key.")).toBeDefined();
  result = { ok: true, model: "llama", error: null };
  await click("Test it");
  expect(await screen.findByText("It works: llama answered.")).toBeDefined();
  result = { ok: false, model: "llama", error: "something-new" };
  await click("Test it");
  expect(await screen.findByText(/the provider’s response couldn’t be used/)).toBeDefined();
});

test("a provider is removed, and what can't be is explained", async () => {
  const asked = serve({
    ...server,
    "GET /v1/me/provider": ok({ ...none, own }),
    "DELETE /v1/me/provider": nothing,
  });
  open("/settings/model");
  await click("Remove");
  await waitFor(() => {
    expect(sent(asked, "DELETE")).toHaveLength(1);
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Model provider" }));
  });
  serve({
    ...server,
    "GET /v1/me/provider": ok({ ...none, own }),
    "DELETE /v1/me/provider": problem(404, "own-provider-not-found"),
  });
  await click("Remove");
  expect(await screen.findByText("You haven’t set up a provider of your own.")).toBeDefined();
});

test("what models have used is a table", async () => {
  const item = {
    operation: "summary",
    provider: "openai",
    ai_model: "m-1",
    payer: "own",
    calls: 3,
    tokens: 12_345,
    unknown: 0,
  };
  serve({ ...server, "GET /v1/me/usage": ok({ since: "2026-11-01T00:00:00Z", items: [item] }) });
  open("/settings/model");
  const row = (await screen.findByText("m-1")).closest("tr") as HTMLElement;
  expect(within(row).getByText("12,345")).toBeDefined();
});

test("where people may not have their own, there is no form", async () => {
  serve({ ...server, "GET /v1/me/provider": ok({ is_allowed: false, own: null, installation: ["openai"] }) });
  open("/settings/model");
  expect(await screen.findByText("This server uses OpenAI for summaries and mind maps.")).toBeDefined();
  expect(screen.queryByLabelText("API key")).toBeNull();
});

test("session reports by email are switched off", async () => {
  const asked = serve({ ...inside, "PATCH /v1/me/settings": ok({ ...settings, email_notification: false }) });
  open("/settings");
  await click("Session report by email", "checkbox");
  await click("Save");
  await waitFor(() => {
    expect(sent(asked, "PATCH")[0]?.body).toEqual({ email_notification: false });
  });
});
