import { Problem } from "@mindhit/client";
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { isUnreachable, checkOffline, reportOffline } from "./offline";
import { device, inside, ok, open, serve } from "../testing";

const called = (name: string) => ({ ...inside, "GET /v1/devices": ok({ items: [{ ...device, name }] }) });

test("when the server is back, the screen is fetched again", async () => {
  serve(called("Chrome on Linux"));
  open("/settings/devices");
  await screen.findByText("Chrome on Linux");
  serve({});
  reportOffline();
  expect(await screen.findByText(/^Can’t reach the server\./)).toBeDefined();
  serve(called("Firefox on Linux"));
  expect(await screen.findByText("Firefox on Linux")).toBeDefined();
  expect(screen.queryByText(/^Can’t reach the server\./)).toBeNull();
});

test("an orderly end of a stream is not reported as offline, and nothing is fetched again", async () => {
  serve(called("Chrome on Linux"));
  open("/settings/devices");
  await screen.findByText("Chrome on Linux");
  const asked = serve(called("Firefox on Linux"));
  const told = vi.fn();
  const watcher = new MutationObserver(() => {
    if (screen.queryByText(/^Can’t reach the server\./)) told();
  });
  watcher.observe(document.body, { childList: true, subtree: true });
  checkOffline();
  await act(() => new Promise((resolve) => setTimeout(resolve, 1_000))); // it was told of for half a second
  watcher.disconnect();
  expect(told).not.toHaveBeenCalled();
  expect(asked.map(({ path }) => path)).toEqual(["/readyz"]);
});

test("a connection lost because the server is gone is reported as offline", async () => {
  serve(called("Chrome on Linux"));
  open("/settings/devices");
  await screen.findByText("Chrome on Linux");
  serve({});
  checkOffline();
  expect(await screen.findByText(/^Can’t reach the server\./)).toBeDefined();
});

const html = { "content-type": "text/html" };
const spoken = { "content-type": "application/problem+json" };
test.each([
  { what: "a proxy's 502", headers: html, status: 502, isOffline: true },
  { what: "a proxy's 504", headers: html, status: 504, isOffline: true },
  { what: "the server's own 503", headers: spoken, status: 503, isOffline: false },
  { what: "a proxy's 404", headers: html, status: 404, isOffline: false },
])("$what counts as offline: $isOffline", ({ headers, status, isOffline }) => {
  const text =
    headers === spoken ? JSON.stringify({ type: "urn:mindhit:problem:database-unavailable" }) : "<h1>";
  expect(isUnreachable(Problem.from(new Response(text, { headers, status }), text))).toBe(isOffline);
});
