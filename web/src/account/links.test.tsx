/** The screens that people come to by a link, or to ask for one. */
import { screen, waitFor } from "@testing-library/react";
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
  reload,
  serve,
  type,
  type Server,
} from "../testing";

const unowned = ok({ has_owner: false, sign_up: false, password: true, oidc: null, mail: false });

test("the first person becomes the owner and is led to connect the extension", async () => {
  const server: Server = {
    ...outside,
    "GET /v1/auth": unowned,
    "POST /v1/auth/owner": () => {
      Object.assign(server, inside);
      return Response.json(me, { status: 201 });
    },
  };
  const asked = serve(server);
  open("/welcome#SECRET");
  await type("Email address", "mina@example.com");
  await waitFor(() => {
    expect(here()).toBe("/welcome");
  });
  await type("Password", "correct horse battery");
  await click("Become the owner");
  expect(await screen.findByText("Welcome! You’re now the owner of this server.")).toBeDefined();
  expect(await screen.findByRole("heading", { name: "Connect it to this server" })).toBeDefined();
  expect(screen.getByRole("link", { name: "I have a code" }).getAttribute("href")).toBe("/connect");
  expect(here()).toBe("/");
  expect(asked.find((request) => request.method === "POST")?.body).toMatchObject({
    token: "SECRET",
    email: "mina@example.com",
    password: "correct horse battery",
    language: "en",
  });
});

test("a welcome link that is over says so, and a weak password is told before it is sent", async () => {
  const asked = serve({
    ...outside,
    "GET /v1/auth": unowned,
    "POST /v1/auth/owner": problem(403, "link-not-valid"),
  });
  open("/welcome#SECRET");
  await type("Email address", "mina@example.com");
  await type("Password", "short");
  expect(screen.getByText("At least 10 characters; 5 so far.")).toBeDefined();
  await click("Become the owner");
  expect(screen.getByText("Use at least 10 characters.")).toBeDefined();
  expect(asked.some((request) => request.method === "POST")).toBe(false);
  await type("Password", "long enough now");
  await click("Become the owner");
  expect((await screen.findByRole("alert")).textContent).toContain("This link isn’t valid or has expired.");
});

test("what the server finds wrong with a field is told beside it", async () => {
  const errors = [{ pointer: "/email", detail: "String should …", kind: "string_too_long" }];
  serve({
    ...outside,
    "GET /v1/auth": unowned,
    "POST /v1/auth/owner": problem(422, "invalid", { detail: "The request is not valid.", errors }),
  });
  open("/welcome#SECRET");
  await type("Email address", "mina@-");
  await type("Password", "correct horse battery");
  await click("Become the owner");
  expect(await screen.findByText("This is too long.")).toBeDefined();
  expect(screen.getByLabelText("Email address").getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a server with an owner welcomes no other, and a link without its token none", async () => {
  serve(outside);
  open("/welcome#SECRET");
  expect(await screen.findByText(/^This link has already been used/)).toBeDefined();
  expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/sign-in");
  expect(screen.queryByText(/^Choose the email address/)).toBeNull();
  serve({ ...outside, "GET /v1/auth": unowned });
  open("/welcome");
  expect(await screen.findByText(/This link is incomplete/)).toBeDefined();
});

test("an account is asked for, and the mail tells the rest", async () => {
  const asked = serve({ ...outside, "POST /v1/auth/sign-up": ok({}, 202) });
  open("/sign-up");
  await type("Email address", "new@example.com");
  await click("Create account");
  expect(await screen.findByText(/If new@example.com can be used here/)).toBeDefined();
  expect(asked.find((request) => request.method === "POST")?.body).toMatchObject({
    email: "new@example.com",
  });
});

test("where sign-up is closed there is no form", async () => {
  const auth = ok({ has_owner: true, sign_up: false, password: true, oidc: null, mail: true });
  serve({ ...outside, "GET /v1/auth": auth });
  open("/sign-up");
  expect(await screen.findByText(/Sign-up is closed on this server/)).toBeDefined();
  expect(screen.queryByLabelText("Password")).toBeNull();
});

test.each([
  { purpose: "verify", said: "is verified", link: "Continue" },
  { purpose: "email", said: "is now", link: "Continue" },
])("an address is confirmed by a click, not by the visit: $purpose", async ({ purpose, said, link }) => {
  const asked = serve({ ...outside, "POST /v1/auth/confirm": ok({ purpose, email: "new@example.com" }) });
  open("/confirm#SECRET");
  await screen.findByRole("button", { name: "Confirm" });
  expect(here()).toBe("/confirm");
  expect(asked.some((request) => request.method === "POST")).toBe(false);
  await click("Confirm");
  expect(
    await screen.findByText((text) => text.includes(said) && text.includes("new@example.com")),
  ).toBeDefined();
  expect(screen.getByRole("link", { name: link })).toBeDefined();
  expect(asked.find((request) => request.method === "POST")?.body).toEqual({ token: "SECRET" });
});

test("a confirmation link that is over says so", async () => {
  serve({ ...outside, "POST /v1/auth/confirm": problem(403, "link-not-valid") });
  open("/confirm#SECRET");
  await click("Confirm");
  expect((await screen.findByRole("alert")).textContent).toContain("Get a new one.");
});

test("a link for a new password is asked for", async () => {
  const asked = serve({ ...outside, "POST /v1/auth/reset": ok({}, 202) });
  open("/reset");
  await type("Email address", "mina@example.com");
  await click("Send link");
  expect(await screen.findByText(/If there’s an account for mina@example.com/)).toBeDefined();
  expect(asked.find((request) => request.method === "POST")?.body).toEqual({ email: "mina@example.com" });
});

test("a server without mail says who can pass the link on", async () => {
  const auth = ok({ has_owner: true, sign_up: false, password: true, oidc: null, mail: false });
  serve({ ...outside, "GET /v1/auth": auth, "POST /v1/auth/reset": ok({}, 202) });
  open("/reset");
  await type("Email address", "mina@example.com");
  expect(await screen.findByText("mindhit user link EMAIL")).toBeDefined();
  await click("Request link");
  expect(await screen.findByRole("heading", { name: "Link requested" })).toBeDefined();
  expect(screen.getByText(/Its owner can see your link/)).toBeDefined();
  expect(screen.queryByText("Check your email")).toBeNull();
});

test("a server without mail promises none to who signs up", async () => {
  const auth = ok({ has_owner: true, sign_up: true, password: true, oidc: null, mail: false });
  serve({ ...outside, "GET /v1/auth": auth, "POST /v1/auth/sign-up": ok({}, 202) });
  open("/sign-up");
  expect(await screen.findByText(/Its owner gets the link/)).toBeDefined();
  await type("Email address", "new@example.com");
  await click("Create account");
  expect(await screen.findByRole("heading", { name: "Link requested" })).toBeDefined();
  expect(screen.queryByText("Check your email")).toBeNull();
});

test("a link survives a reload, without its token in the address bar", async () => {
  serve({ ...outside, "GET /v1/auth": unowned });
  open("/welcome#SECRET");
  await screen.findByRole("button", { name: "Become the owner" });
  await waitFor(() => {
    expect(here()).toBe("/welcome");
  });
  reload();
  expect(await screen.findByRole("button", { name: "Become the owner" })).toBeDefined();
  expect(screen.queryByText(/This link is incomplete/)).toBeNull();
});

test("a new password is chosen with the link; who was signed in is not any more", async () => {
  const server: Server = {
    ...inside,
    "POST /v1/auth/reset/confirm": () => {
      Object.assign(server, outside);
      return nothing();
    },
  };
  const asked = serve(server);
  open("/reset#SECRET");
  await type("New password", "correct horse battery");
  expect(here()).toBe("/reset");
  expect(screen.getByLabelText<HTMLInputElement>("New password").autocomplete).toBe("new-password");
  await click("Set password");
  expect(await screen.findByText(/Your password is set/)).toBeDefined();
  expect(asked.find((request) => request.method === "POST")?.body).toEqual({
    token: "SECRET",
    password: "correct horse battery",
  });
  await waitFor(() => {
    expect(here()).toBe("/sign-in");
  });
});
