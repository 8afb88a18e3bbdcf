import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { tellAway } from "./presence";
import { device, inside, ok, open, serve } from "./testing";

afterEach(cleanup);

const called = (name: string) => ({ ...inside, "GET /v1/devices": ok({ items: [{ ...device, name }] }) });

test("when the server is back, what is on the screen is fetched anew", async () => {
  serve(called("Chrome on Linux"));
  open("/settings/devices");
  await screen.findByText("Chrome on Linux");
  serve({});
  tellAway();
  expect(await screen.findByText(/^The server is away\./)).toBeDefined();
  serve(called("Firefox on Linux"));
  expect(await screen.findByText("Firefox on Linux")).toBeDefined();
  expect(screen.queryByText(/^The server is away\./)).toBeNull();
});
