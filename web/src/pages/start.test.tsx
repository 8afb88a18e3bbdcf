import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { judge } from "../api";
import { App } from "../app";
import { chooseLanguage, startLanguages } from "../i18n";

type Server = Record<string, () => Response | Promise<Response>>;

const ready: Server = {
  "/readyz": () => Response.json({ status: "ready" }),
  "/v1/about": () => Response.json({ name: "MindHit", version: "9.8.7" }),
};

/** Stands in for the network; a path that is not served is a server that is not there. */
function serve(server: Server): void {
  vi.stubGlobal("fetch", (path: string) => {
    const handler = server[path];
    return handler ? Promise.resolve(handler()) : Promise.reject(new TypeError("fetch failed"));
  });
}

beforeEach(() => {
  localStorage.clear();
  startLanguages();
  chooseLanguage("en");
});

afterEach(cleanup);

test("a ready server is called ready, with its version", async () => {
  serve(ready);
  render(<App />);
  expect(await screen.findByText("Ready")).toBeDefined();
  expect(await screen.findByText("9.8.7")).toBeDefined();
});

test("a server without its database says so", async () => {
  serve({ ...ready, "/readyz": () => Response.json({ title: "Not ready" }, { status: 503 }) });
  render(<App />);
  expect(await screen.findByText("Database away")).toBeDefined();
});

test("a server that is gone is noticed, and noticed again when it is back", async () => {
  vi.useFakeTimers();
  try {
    serve({});
    render(<App />);
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(screen.getByRole("status").textContent).toContain("Server away");
    serve(ready);
    await act(() => vi.advanceTimersByTimeAsync(5_100));
    expect(screen.getByRole("status").textContent).toContain("Ready");
    expect(screen.getByText("9.8.7")).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});

test("the language switch speaks Korean and is remembered", async () => {
  serve(ready);
  render(<App />);
  fireEvent.click(await screen.findByRole("button", { name: "한국어" }));
  expect(await screen.findByText("준비됨")).toBeDefined();
  expect(document.documentElement.lang).toBe("ko");
  expect(localStorage.getItem("mindhit.language")).toBe("ko");
});

test.each([
  { status: 200, type: "application/json", state: "ready" },
  { status: 503, type: "application/problem+json", state: "databaseAway" },
  { status: 503, type: "text/html", state: "serverAway" },
  { status: 500, type: "application/problem+json", state: "serverAway" },
  { status: 200, type: "text/html; charset=utf-8", state: "serverAway" },
])("$status as $type: $state", ({ status, type, state }) => {
  expect(judge(new Response("{}", { status, headers: { "content-type": type } }))).toBe(state);
});
