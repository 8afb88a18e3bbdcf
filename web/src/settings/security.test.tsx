/** Passwords, addresses, devices and tokens. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import {
  click,
  device,
  inside,
  me,
  nothing,
  ok,
  open,
  problem,
  sent,
  serve,
  stubDialogs,
  type,
  type Server,
} from "../testing";

beforeEach(stubDialogs);
const events: Server = {
  "GET /v1/me/events": ({ query }) =>
    Response.json(
      query.get("cursor") === "c1"
        ? {
            items: [
              { id: 1, at: "2026-11-01T00:00:00Z", event: "something_new", address: null, device: null },
            ],
            next_cursor: null,
          }
        : {
            items: [
              {
                id: 2,
                at: "2026-11-15T23:30:00Z",
                event: "sign_in_failed",
                address: "203.0.113.9",
                device: "curl",
              },
            ],
            next_cursor: "c1",
          },
    ),
};

test("a password is changed with the present one", async () => {
  const server: Server = { ...inside, ...events, "POST /v1/me/password": problem(403, "wrong-password") };
  const asked = serve(server);
  open("/settings/security");
  const form = within(await screen.findByRole("region", { name: "Password" }));
  const change = () => {
    fireEvent.click(form.getByRole("button", { name: "Change password" }));
  };
  fireEvent.change(form.getByLabelText("Current password"), { target: { value: "wrong horse" } });
  fireEvent.change(form.getByLabelText("New password"), { target: { value: "correct horse battery" } });
  change();
  expect((await form.findByRole("alert")).textContent).toBe("Wrong password.");
  server["POST /v1/me/password"] = nothing;
  change();
  expect(await form.findByText("Password changed.")).toBeDefined();
  expect(form.getByLabelText<HTMLInputElement>("New password").value).toBe("");
  expect(sent(asked, "POST").map(({ body }) => body)).toEqual(
    Array(2).fill({ current: "wrong horse", new: "correct horse battery" }),
  );
});

test("who came through the identity provider sets a first password without one", async () => {
  const asked = serve({
    ...inside,
    ...events,
    "GET /v1/me": ok({ ...me, has_password: false }),
    "POST /v1/me/password": nothing,
  });
  open("/settings/security");
  await type("New password", "correct horse battery");
  await click("Set password");
  await waitFor(() => {
    expect(sent(asked, "POST").map(({ body }) => body)).toEqual([
      { current: null, new: "correct horse battery" },
    ]);
  });
});

test("an address is verified, and changed by a link to the new one", async () => {
  const asked = serve({
    ...inside,
    ...events,
    "GET /v1/me": ok({ ...me, verified: false }),
    "POST /v1/me/verify": ok({}, 202),
    "POST /v1/me/email": ok({}, 202),
  });
  open("/settings/security");
  const region = within(await screen.findByRole("region", { name: "Email address" }));
  const [verify, change] = region.getAllByRole("button", { name: "Send link", hidden: true });
  if (!verify || !change) throw new Error("two buttons were expected");
  fireEvent.click(verify);
  expect(await region.findByText("Link sent. Check your email.")).toBeDefined();
  fireEvent.change(region.getByLabelText("New email address"), { target: { value: "new@example.com" } });
  fireEvent.change(region.getByLabelText("Current password"), { target: { value: "correct horse" } });
  fireEvent.click(change);
  expect(await region.findByText("A link was sent to new@example.com.")).toBeDefined();
  expect(sent(asked, "POST").map(({ path, body }) => [path, body])).toEqual([
    ["/v1/me/verify", undefined],
    ["/v1/me/email", { email: "new@example.com", password: "correct horse" }],
  ]);
});

test("events are told in words, page by page, also those we do not know", async () => {
  serve({ ...inside, ...events });
  open("/settings/security");
  expect(await screen.findByText("Sign-in failed")).toBeDefined();
  expect(screen.getByText("curl · 203.0.113.9")).toBeDefined();
  await click("Show more");
  expect(await screen.findByText("something new")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("a device is revoked after a question; this one cannot be", async () => {
  let items = [
    device,
    { ...device, id: "d2", kind: "extension", name: "Firefox on Windows", is_current: false },
  ];
  const asked = serve({
    ...inside,
    "GET /v1/devices": () => Response.json({ items }),
    "DELETE /v1/devices/d2": () => {
      items = items.slice(0, 1);
      return nothing();
    },
  });
  open("/settings/devices");
  await click("Revoke Firefox on Windows");
  expect(screen.queryByRole("button", { name: "Revoke Chrome on Linux" })).toBeNull();
  const dialog = within(screen.getByRole("dialog", { name: "Revoke Firefox on Windows?" }));
  fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(sent(asked, "DELETE")).toEqual([]);
  await click("Revoke Firefox on Windows");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" }));
  await waitFor(() => {
    expect(screen.queryByText("Firefox on Windows")).toBeNull();
  });
  expect(sent(asked, "DELETE")).toHaveLength(1);
  expect(screen.getByText("Firefox on Windows was revoked.")).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Connected devices" }));
  expect(screen.getByText("No extension is connected yet.")).toBeDefined();
});

test("a failure to revoke is told in the question", async () => {
  serve({
    ...inside,
    "GET /v1/devices": ok({ items: [{ ...device, is_current: false }] }),
    "DELETE /v1/devices/d1": problem(404, "device-not-found"),
  });
  open("/settings/devices");
  await click("Revoke Chrome on Linux");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" }));
  expect((await within(screen.getByRole("dialog")).findByRole("alert")).textContent).toBe(
    "This device isn’t connected any more.",
  );
});

test("devices are seen in the person's own time", async () => {
  serve(inside);
  open("/settings/devices");
  const row = (await screen.findByText("This device")).closest("li");
  expect(row?.textContent).toContain("8:30"); // 23:30 UTC is the next morning in Seoul
});

test("a token is made, shown once, and copied", async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  const asked = serve({
    ...inside,
    "POST /v1/tokens": ok({ token: "mh_secret", device: { ...device, kind: "api", id: "d3" } }, 201),
  });
  open("/settings/devices");
  await type("Name", " backup ");
  await type("Permission", "admin");
  await type("Expires", "");
  await click("Create token");
  expect((await screen.findByLabelText<HTMLInputElement>("Token")).value).toBe("mh_secret");
  await click("Copy");
  expect(await screen.findByText("Copied.")).toBeDefined();
  expect(writeText).toHaveBeenCalledWith("mh_secret");
  Reflect.deleteProperty(navigator, "clipboard");
  await click("Done, I saved it");
  expect(screen.queryByDisplayValue("mh_secret")).toBeNull();
  expect(sent(asked, "POST")[0]?.body).toEqual({ name: "backup", scopes: ["admin"], expires_in_days: null });
});

test("where there is no clipboard the token is selected", async () => {
  serve({ ...inside, "POST /v1/tokens": ok({ token: "mh_secret", device }, 201) });
  open("/settings/devices");
  await type("Name", "backup");
  await click("Create token");
  await click("Copy");
  expect(await screen.findByText(/Selected. Copy it/)).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText("Token"));
});

test("tokens for the server are the owner's to make", async () => {
  serve({ ...inside, "GET /v1/me": ok({ ...me, role: "user" }) });
  open("/settings/devices");
  const scopes = within(await screen.findByLabelText("Permission")).getAllByRole("option");
  expect(scopes.map((option) => option.getAttribute("value"))).toEqual(["api", "extension"]);
});

test("a server without mail says where the link is, and promises no email", async () => {
  const auth = ok({ has_owner: true, sign_up: false, password: true, oidc: null, mail: false });
  serve({
    ...inside,
    "GET /v1/auth": auth,
    "GET /v1/me": ok({ ...me, verified: false }),
    "GET /v1/me/events": ok({ items: [], next_cursor: null }),
    "POST /v1/me/verify": ok({}, 202),
  });
  open("/settings/security");
  const region = within(await screen.findByRole("region", { name: "Email address" }));
  const [verify] = await region.findAllByRole("button", { name: "Request link" });
  if (!verify) throw new Error("a button was expected");
  expect(region.getAllByText(/You’ll find the link under Server, Unsent emails/).length).toBeGreaterThan(0);
  fireEvent.click(verify);
  expect(await region.findByText("Link requested")).toBeDefined();
  expect(region.queryByText(/Check your email/)).toBeNull();
});
