import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { device, inside, listOf, ok, open, serve, session } from "../testing";

afterEach(cleanup);

const demo = { ...session, device_id: null };
const extension = { ...device, id: "e1", kind: "extension" as const };

test("who has sessions but no extension is led to connect the browser", async () => {
  serve({ ...inside, "GET /v1/sessions": ok(listOf([demo])) });
  open("/");
  const way = await screen.findByRole("link", { name: "Connect your browser" });
  expect(way.getAttribute("href")).toBe("/first-steps");
});

test("with an extension there is no banner", async () => {
  serve({
    ...inside,
    "GET /v1/sessions": ok(listOf([demo])),
    "GET /v1/devices": ok({ items: [device, extension] }),
  });
  open("/");
  await screen.findByRole("link", { name: session.title ?? "" });
  expect(screen.queryByRole("link", { name: "Connect your browser" })).toBeNull();
});
