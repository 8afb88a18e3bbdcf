import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  click,
  here,
  inside,
  me,
  nothing,
  ok,
  open,
  outside,
  problem,
  serve,
  type,
  type Server,
} from "../testing";

const asking: Server = {
  ...inside,
  "GET /v1/connect/BCDF-GHJK": ok({
    user_code: "BCDF-GHJK",
    name: "Firefox on Windows",
    address: "198.51.100.4",
    created_at: "2026-11-15T23:30:00Z",
    expires_at: "2026-11-15T23:40:00Z",
  }),
  "POST /v1/connect/BCDF-GHJK": nothing,
};

test("the code of the link is shown to compare, with who asks and from where", async () => {
  const asked = serve(asking);
  open("/connect#BCDF-GHJK");
  expect(await screen.findByText("Firefox on Windows wants to connect to your account.")).toBeDefined();
  expect(screen.getByText("BCDF-GHJK")).toBeDefined();
  expect(screen.getByText("198.51.100.4")).toBeDefined();
  expect(screen.getByText(/8:30/)).toBeDefined(); // in Seoul, where Mina is
  expect(here()).toBe("/connect");
  await click("Approve");
  expect(await screen.findByText(/Go back to the extension/)).toBeDefined();
  expect(asked.find((request) => request.method === "POST")?.body).toEqual({ decision: "approve" });
});

test("it can be denied", async () => {
  const asked = serve(asking);
  open("/connect#BCDF-GHJK");
  await click("Deny");
  expect(await screen.findByText("Nothing was connected. You can close this page.")).toBeDefined();
  expect(asked.find((request) => request.method === "POST")?.body).toEqual({ decision: "deny" });
});

test("a code can be typed, as people type", async () => {
  serve(asking);
  open("/connect");
  await type("Code", "bcdf");
  await click("Continue");
  expect(screen.getByText("A code has eight letters, such as BCDF-GHJK.")).toBeDefined();
  await type("Code", "bcdf ghjk");
  await click("Continue");
  expect(await screen.findByRole("button", { name: "Approve" })).toBeDefined();
});

test("a code that is over says so, and another can be typed", async () => {
  serve({ ...asking, "GET /v1/connect/ZZZZ-ZZZZ": problem(404, "connection-not-found") });
  open("/connect#ZZZZ-ZZZZ");
  expect((await screen.findByRole("alert")).textContent).toContain("This code doesn’t exist or has expired.");
  await type("Code", "BCDF-GHJK");
  await click("Continue");
  expect(await screen.findByRole("button", { name: "Approve" })).toBeDefined();
});

test("a decision that came too late is told where it was made", async () => {
  serve({ ...asking, "POST /v1/connect/BCDF-GHJK": problem(404, "connection-not-found") });
  open("/connect#BCDF-GHJK");
  await click("Approve");
  expect((await screen.findByRole("alert")).textContent).toContain("has expired");
});

test("who is not signed in keeps the code through the sign-in", async () => {
  const server: Server = {
    ...outside,
    "POST /v1/auth/sign-in": () => {
      Object.assign(server, asking);
      return Response.json(me);
    },
  };
  serve(server);
  open("/connect#BCDF-GHJK");
  await type("Email address", "mina@example.com");
  await type("Password", "correct horse");
  await click("Sign in");
  expect(await screen.findByRole("button", { name: "Approve" })).toBeDefined();
  expect(here()).toBe("/connect");
});
