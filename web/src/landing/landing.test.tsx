import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { readinessOf } from "../api/readiness";
import { click, inside, me, ok, open, outside, problem, serve } from "../testing";

test("a ready server is called ready, with its version, and shows the way in", async () => {
  serve(outside);
  open("/");
  expect(await screen.findByText("Ready")).toBeDefined();
  expect(await screen.findByText("9.8.7")).toBeDefined();
  expect((await screen.findByRole("link", { name: "Sign in" })).getAttribute("href")).toBe("/sign-in");
  expect(screen.getByRole("link", { name: "Create an account" })).toBeDefined();
});

test("a new server says how it gets its owner, and offers nothing that cannot work yet", async () => {
  const auth = ok({ has_owner: false, sign_up: true, password: true, oidc: null, mail: false });
  serve({ ...outside, "GET /v1/auth": auth });
  open("/");
  expect(await screen.findByRole("heading", { name: "This server has no owner yet" })).toBeDefined();
  expect(screen.queryByRole("link", { name: "Sign in" })).toBeNull();
});

test("a server without its database says so", async () => {
  serve({ ...outside, "GET /readyz": () => Response.json({ title: "Not ready" }, { status: 503 }) });
  open("/");
  expect(await screen.findByText("Database unreachable")).toBeDefined();
});

test("a server that is gone is noticed, and noticed again when it is back", async () => {
  vi.useFakeTimers();
  try {
    serve({});
    open("/");
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(screen.getByText("Server unreachable")).toBeDefined();
    expect(screen.getByText(/^Can’t reach the server\./)).toBeDefined();
    serve(outside);
    await act(() => vi.advanceTimersByTimeAsync(5_100));
    expect(screen.getByText("Ready")).toBeDefined();
    expect(screen.queryByText(/^Can’t reach the server\./)).toBeNull();
    expect(screen.getByText("9.8.7")).toBeDefined();
    expect(screen.getByRole("link", { name: "Sign in" })).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});

test("the language switch speaks Korean and is remembered", async () => {
  serve(outside);
  open("/");
  await click("한국어");
  expect(await screen.findByText("정상")).toBeDefined();
  expect(document.documentElement.lang).toBe("ko");
  expect(localStorage.getItem("mindhit.language")).toBe("ko");
});

test("the theme switch is applied and remembered", async () => {
  serve(outside);
  open("/");
  await click("Dark theme");
  expect(document.documentElement.dataset["theme"]).toBe("dark");
  expect(screen.getByRole("button", { name: "Dark theme", pressed: true })).toBeDefined();
  expect(localStorage.getItem("mindhit.theme")).toBe("dark");
});

test("who is signed in and has recorded nothing sees what to do next, and what is done", async () => {
  serve({ ...inside, "GET /v1/me": ok({ ...me, role: "user", verified: false }) });
  open("/");
  expect(await screen.findByRole("heading", { name: "First steps" })).toBeDefined();
  expect(await screen.findByRole("heading", { name: /Account created.*Done/ })).toBeDefined();
  expect(screen.getByRole("heading", { name: "Load the extension" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Verify your email address" }).getAttribute("href")).toBe(
    "/settings/security",
  );
  expect(screen.queryByText("Ready")).toBeNull(); // the server is its owner's business
});

test("an unknown address says so", async () => {
  serve(outside);
  open("/nowhere");
  expect(await screen.findByRole("heading", { name: "Page not found" })).toBeDefined();
  expect(document.title).toBe("Page not found – MindHit");
});

test.each([
  { status: 200, type: "application/json", state: "ready" },
  { status: 503, type: "application/problem+json", state: "databaseDown" },
  { status: 503, type: "text/html", state: "serverDown" },
  { status: 500, type: "application/problem+json", state: "serverDown" },
  { status: 200, type: "text/html; charset=utf-8", state: "serverDown" },
])("$status as $type: $state", ({ status, type, state }) => {
  expect(readinessOf(new Response("{}", { status, headers: { "content-type": type } }))).toBe(state);
});

test("a server that fails to say who is signed in still has a start page", async () => {
  serve({ ...outside, "GET /v1/me": problem(500, "broken", { detail: "MindHit made a mistake." }) });
  open("/");
  expect(await screen.findByRole("heading", { name: "MindHit" })).toBeDefined();
});
