/** Taking one's data along, leaving, and the owner's section. */
import { fireEvent, screen, within } from "@testing-library/react";
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

const made = {
  id: "e1",
  status: "queued",
  files: 0,
  files_done: 0,
  size_bytes: null,
  reason: null,
  created_at: "2026-11-16T00:00:00Z",
  started_at: null,
  finished_at: null,
  expires_at: null,
};

test("an export is asked for, watched while it is made, and downloaded by the browser itself", async () => {
  const running = { ...made, status: "running", files: 40, files_done: 12 };
  const ready = { ...made, status: "ready", size_bytes: 12_345_678, expires_at: "2026-11-17T00:00:00Z" };
  const answers: object[][] = [[], [ready]];
  const server: Server = {
    ...inside,
    "GET /v1/me/exports": () => Response.json({ exports: answers.shift() ?? [ready] }),
    "POST /v1/me/exports": problem(507, "disk-full"),
  };
  const asked = serve(server);
  open("/settings/data");
  await click("Export my data");
  expect(await screen.findByRole("alert")).toBeDefined();
  server["POST /v1/me/exports"] = ok(running, 202);
  await click("Export my data");
  expect(await screen.findByText(/12 of 40 files/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Export my data" })).toBeNull();
  const link = await screen.findByRole("link", { name: "Download" });
  expect(link.getAttribute("href")).toBe("/v1/me/exports/e1/archive");
  expect(screen.getByText(/12 MB/)).toBeDefined();
  expect(sent(asked, "POST").map(({ query }) => query.get("new"))).toEqual(["true", "true"]);
});

test.each([
  ["queued", null, "Waiting to start"],
  ["failed", "no-space", "enough space"],
  ["failed", "forgotten", "deleted part of your history"],
  ["failed", "broken", "Couldn’t export"],
])("an export that is %s says why: %s", async (status, reason, words) => {
  serve({ ...inside, "GET /v1/me/exports": ok({ exports: [{ ...made, status, reason }] }) });
  open("/settings/data");
  expect(await screen.findByText(new RegExp(words))).toBeDefined();
  expect(screen.queryAllByRole("button", { name: "Export my data" })).toHaveLength(
    status === "failed" ? 1 : 0,
  );
});

test("an account is deleted only with its address typed", async () => {
  const server: Server = {
    ...inside,
    "POST /v1/me/erase": () => {
      Object.assign(server, outside);
      return Response.json({}, { status: 202 });
    },
  };
  const asked = serve(server);
  open("/settings/data");
  await type("Type your email address to confirm", "nina@example.com");
  await type("Current password", "correct horse");
  await click("Delete everything");
  expect(screen.getByText("Type mina@example.com exactly.")).toBeDefined();
  expect(sent(asked, "POST")).toEqual([]);
  await type("Type your email address to confirm", "mina@example.com");
  await click("Delete everything");
  expect(await screen.findByText(/Your account and everything in it are being deleted/)).toBeDefined();
  expect(here()).toBe("/sign-in");
  expect(sent(asked, "POST")[0]?.body).toEqual({ email: "mina@example.com", password: "correct horse" });
});

test("the last owner is told why they cannot leave", async () => {
  serve({ ...inside, "POST /v1/me/erase": problem(409, "owner-needed") });
  open("/settings/data");
  await type("Type your email address to confirm", "mina@example.com");
  await type("Current password", "correct horse");
  await click("Delete everything");
  expect((await screen.findByRole("alert")).textContent).toContain("The owner’s account can’t be deleted");
});

const owned: Server = {
  ...inside,
  "GET /v1/admin/users": ok({
    items: [
      { ...me, last_seen_at: "2026-11-15T23:30:00Z" },
      { ...me, id: "p2", email: "jun@example.com", role: "user", verified: false, last_seen_at: null },
    ],
  }),
  "GET /v1/admin/mails": ok({ items: [] }),
};

test("the owner adds a person and gets the link to pass on", async () => {
  const invitation = {
    link: "https://memory.test/reset#T",
    mailed: false,
    expires_at: "2026-11-16T23:30:00Z",
  };
  const server: Server = { ...owned, "POST /v1/admin/users": problem(409, "person-exists") };
  serve(server);
  open("/settings/server");
  expect(await screen.findByText("jun@example.com")).toBeDefined();
  await type("Email address", "new@example.com");
  await click("Add user");
  expect((await screen.findByRole("alert")).textContent).toContain(
    "There’s already an account with this email address.",
  );
  server["POST /v1/admin/users"] = ok(invitation, 201);
  await click("Add user");
  expect((await screen.findByLabelText<HTMLInputElement>("Link")).value).toBe("https://memory.test/reset#T");
  expect(screen.getByText(/This server doesn’t send email, so pass this link on yourself/)).toBeDefined();
});

test("unsent mails are read and deleted", async () => {
  let items = [
    {
      id: 7,
      recipient: "jun@example.com",
      subject: "Hello",
      text: "the link",
      created_at: "2026-11-15T23:30:00Z",
    },
  ];
  serve({
    ...owned,
    "GET /v1/admin/mails": () => Response.json({ items }),
    "DELETE /v1/admin/mails/7": () => {
      items = [];
      return nothing();
    },
  });
  open("/settings/server");
  expect(await screen.findByText("the link")).toBeDefined();
  await click("Delete “Hello” to jun@example.com");
  expect(await screen.findByText("No unsent emails.")).toBeDefined();
});

test("a list that cannot be fetched says so where it would stand, and can be tried again", async () => {
  const server: Server = {
    ...owned,
    "GET /v1/admin/mails": problem(503, "database-unavailable", { detail: "No database." }),
  };
  serve(server);
  open("/settings/server");
  const mails = within(await screen.findByRole("region", { name: "Unsent emails" }));
  expect((await mails.findByRole("alert")).textContent).toContain("can’t reach its database");
  server["GET /v1/admin/mails"] = ok({ items: [] });
  fireEvent.click(mails.getByRole("button", { name: "Try again" }));
  expect(await mails.findByText("No unsent emails.")).toBeDefined();
});

test("the privacy section says what is kept and for how long", async () => {
  serve(inside);
  open("/settings/privacy");
  expect(await screen.findByText("As long as their session")).toBeDefined();
  expect(screen.getAllByText("Until you delete them")).toHaveLength(2);
  expect(screen.getByText("90 days after you read them")).toBeDefined();
  const kept = { model_answers: 7, read_notices: 90, security_events: 365, exports: 1 };
  serve({ ...inside, "GET /v1/me/retention": ok({ sessions: 30, raw_events: 31, ...kept }) });
  open("/settings/privacy");
  expect(await screen.findByText("30 days, by your plan. We’ll tell you a week before.")).toBeDefined();
  expect(screen.getByText("31 days after the session ends. Its timeline stays.")).toBeDefined();
});
