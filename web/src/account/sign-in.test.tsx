import { fireEvent, screen, waitFor } from "@testing-library/react";
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
  sent,
  serve,
  type,
  type Server,
} from "../testing";

/** Lets Mina in with her password. */
function doorkeeper(): Server {
  const server: Server = {
    ...outside,
    "POST /v1/auth/sign-in": () => {
      Object.assign(server, inside);
      return Response.json(me);
    },
  };
  return server;
}

async function signIn(): Promise<void> {
  await type("Email address", " mina@example.com ");
  await type("Password", "correct horse");
  await click("Sign in");
}

test("a screen of one's own asks to sign in first and comes back then", async () => {
  const asked = serve(doorkeeper());
  open("/settings/data?x=1");
  expect(await screen.findByRole("heading", { name: "Sign in" })).toBeDefined();
  expect(here()).toBe("/sign-in?next=%2Fsettings%2Fdata%3Fx%3D1");
  await signIn();
  expect(await screen.findByRole("heading", { name: "Your data" })).toBeDefined();
  expect(here()).toBe("/settings/data?x=1");
  expect(asked.find((request) => request.method === "POST")?.body).toEqual({
    email: "mina@example.com",
    password: "correct horse",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: "en",
  });
});

test("another site is no place to come back to", async () => {
  serve(doorkeeper());
  open("/sign-in?next=//evil.test/x");
  await signIn();
  expect(await screen.findByRole("heading", { name: "Overview" })).toBeDefined();
  expect(here()).toBe("/");
});

test("who is signed in already is led on", async () => {
  serve(inside);
  open("/sign-in?next=/settings");
  expect(await screen.findByRole("heading", { name: "General" })).toBeDefined();
});

test("a wrong password is told, and what was typed stays", async () => {
  serve({ ...outside, "POST /v1/auth/sign-in": problem(401, "wrong-credentials") });
  open("/sign-in");
  await signIn();
  expect((await screen.findByRole("alert")).textContent).toBe("Wrong email address or password.");
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("correct horse");
  expect(here()).toBe("/sign-in");
});

test("too many tries say when to try again", async () => {
  serve({ ...outside, "POST /v1/auth/sign-in": problem(429, "too-many-attempts", { retry_after_s: 42 }) });
  open("/sign-in");
  await signIn();
  expect((await screen.findByRole("alert")).textContent).toContain("Try again in 42 s.");
});

test("a server that is away can be tried again with what was typed", async () => {
  const server: Server = { ...outside };
  serve(server);
  open("/sign-in");
  await signIn();
  expect((await screen.findByRole("alert")).textContent).toContain("The server isn’t responding.");
  Object.assign(server, doorkeeper(), { "GET /v1/devices": ok({ items: [] }) });
  await click("Try again");
  expect(await screen.findByRole("heading", { name: "Overview" })).toBeDefined();
});

test("what is missing is told beside the field, which gets the focus", async () => {
  const asked = serve(outside);
  open("/sign-in");
  await type("Email address", "mina@example.com");
  await click("Sign in");
  const field = screen.getByLabelText("Password");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  const described = field.getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(described)?.textContent).toBe("Please fill this in.");
  expect(document.activeElement).toBe(field);
  expect(screen.getByLabelText("Email address").getAttribute("aria-invalid")).toBeNull();
  expect(sent(asked, "POST")).toEqual([]);
});

test("two clicks sign in once", async () => {
  let answer: (response: Response) => void = () => undefined;
  const asked = serve({
    ...outside,
    "POST /v1/auth/sign-in": () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  open("/sign-in");
  await signIn();
  await click("Sign in");
  fireEvent.submit(screen.getByLabelText("Password"));
  await waitFor(() => {
    expect(screen.getByRole("button", { name: "Sign in" }).getAttribute("aria-busy")).toBe("true");
  });
  await click("Sign in");
  expect(asked.filter((request) => request.method === "POST")).toHaveLength(1);
  answer(problem(401, "wrong-credentials")());
  await screen.findByRole("alert");
  await click("Sign in");
  await waitFor(() => {
    expect(asked.filter((request) => request.method === "POST")).toHaveLength(2);
  });
});

test("a password can be looked at", async () => {
  serve(outside);
  open("/sign-in");
  const field = await screen.findByLabelText<HTMLInputElement>("Password");
  expect([field.type, field.autocomplete]).toEqual(["password", "current-password"]);
  await click("Show password");
  expect(field.type).toBe("text");
  await click("Hide password");
  expect(field.type).toBe("password");
});

test("the identity provider is offered where there is one, alone where passwords are off", async () => {
  const auth = ok({
    has_owner: true,
    sign_up: false,
    password: false,
    oidc: { name: "Company SSO" },
    mail: true,
  });
  serve({ ...outside, "GET /v1/auth": auth });
  open("/sign-in?next=/settings&error=oidc&reason=unknown");
  const link = await screen.findByRole("link", { name: "Sign in with Company SSO" });
  const { pathname, searchParams } = new URL(link.getAttribute("href") ?? "", location.origin);
  expect([pathname, searchParams.get("next"), searchParams.get("language")]).toEqual([
    "/v1/auth/oidc/start",
    "/settings",
    "en",
  ]);
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.queryByRole("link", { name: "Create an account" })).toBeNull();
  expect(screen.getByRole("alert").textContent).toContain("You don’t have an account on this server");
  open("/sign-in?error=oidc&reason=constructor");
  expect((await screen.findByRole("alert")).textContent).toContain("Couldn’t sign in");
});

test("signing out forgets the person and says so", async () => {
  const server: Server = { ...inside };
  serve({
    ...server,
    "POST /v1/auth/sign-out": nothing,
  });
  open("/");
  await click("Account: mina@example.com");
  await click("Sign out");
  expect(await screen.findByText("You’re signed out.")).toBeDefined();
  expect(here()).toBe("/sign-in");
  expect(screen.queryByText("mina@example.com")).toBeNull();
});

test("the account menu opens, and closes with Escape and a click elsewhere", async () => {
  serve(inside);
  open("/");
  await click("Account: mina@example.com");
  const opener = screen.getByRole("button", { name: "Account: mina@example.com", expanded: true });
  fireEvent.keyDown(screen.getByRole("button", { name: "Sign out" }), { key: "Escape" });
  expect(opener.getAttribute("aria-expanded")).toBe("false");
  expect(document.activeElement).toBe(opener);
  fireEvent.click(opener);
  fireEvent.pointerDown(document.body);
  expect(opener.getAttribute("aria-expanded")).toBe("false");
});

test("a language chosen in the menu is kept with the account", async () => {
  const asked = serve({
    ...inside,
    "PATCH /v1/me/settings": ({ body }) => Response.json({ ...me.settings, ...(body as object) }),
  });
  open("/");
  await click("Account: mina@example.com");
  await click("한국어");
  expect(await screen.findByRole("heading", { name: "시작하기" })).toBeDefined();
  await waitFor(() => {
    expect(asked.find((request) => request.method === "PATCH")?.body).toEqual({ language: "ko" });
  });
});

test("whose access ends while they work signs in and comes back", async () => {
  const server: Server = { ...inside, "GET /v1/devices": problem(401, "not-signed-in") };
  serve(server);
  open("/settings/devices");
  expect(await screen.findByRole("heading", { name: "Sign in" })).toBeDefined();
  expect(here()).toBe("/sign-in?next=%2Fsettings%2Fdevices");
});
