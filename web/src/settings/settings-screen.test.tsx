/** The sections in general, and what a person chooses in them. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Settings } from "../account/api";
import {
  click,
  device,
  here,
  inside,
  me,
  ok,
  open,
  sent,
  serve,
  settings,
  type,
  type Server,
} from "../testing";

/** A server that keeps what is set. Another browser has set `elsewhere` since this one last heard of it. */
function keeper(elsewhere: Partial<Settings> = {}): Server {
  let kept = { ...settings, ...elsewhere };
  return {
    ...inside,
    "PATCH /v1/me/settings": ({ body }) => {
      kept = { ...kept, ...(body as object) };
      return Response.json(kept);
    },
    "PATCH /v1/me/excluded-domains": ({ body }) => {
      const { add = [], remove = [] } = body as { add?: string[]; remove?: string[] };
      const left = kept.excluded_domains.filter((domain) => !remove.includes(domain));
      kept = { ...kept, excluded_domains: [...new Set([...left, ...add])].sort() };
      return Response.json(kept);
    },
  };
}

test("sections have addresses of their own, and the server's is the owner's", async () => {
  serve({ ...inside, "GET /v1/me": ok({ ...me, role: "user" }) });
  open("/settings");
  const ways = await screen.findByRole("navigation", { name: "Settings" });
  expect(within(ways).queryByRole("link", { name: "Server" })).toBeNull();
  fireEvent.click(within(ways).getByRole("link", { name: "Privacy" }));
  const heading = await screen.findByRole("heading", { name: "Privacy", level: 1 });
  expect(here()).toBe("/settings/privacy");
  expect(document.activeElement).toBe(heading);
  expect(document.title).toBe("Privacy – Settings – MindHit");
  open("/settings/server");
  expect(await screen.findByRole("heading", { name: "Page not found" })).toBeDefined();
});

test("language and time zone are searched for, saved, and count at once", async () => {
  const asked = serve(keeper());
  open("/settings");
  const zone = await screen.findByRole<HTMLInputElement>("combobox", { name: "Time zone" });
  fireEvent.click(zone);
  fireEvent.change(zone, { target: { value: "new york" } });
  expect(within(screen.getByRole("listbox")).getAllByRole("option")).toHaveLength(1);
  fireEvent.keyDown(zone, { key: "Enter" });
  expect(zone.value).toBe("America/New_York");
  fireEvent.change(screen.getByRole("combobox", { name: "Language" }), { target: { value: "ko" } });
  await click("Save");
  expect(await screen.findByText("저장했어요.")).toBeDefined();
  expect(sent(asked, "PATCH").map(({ body }) => body)).toEqual([
    { timezone: "America/New_York", language: "ko" },
  ]);
});

test("a tab that is behind sends what was changed in it, and puts nothing else back", async () => {
  const asked = serve(keeper({ timezone: "Europe/Berlin", email_notification: false }));
  open("/settings");
  const zone = await screen.findByRole<HTMLInputElement>("combobox", { name: "Time zone" });
  expect(zone.value).toBe("Asia/Seoul");
  fireEvent.change(screen.getByRole("combobox", { name: "Language" }), { target: { value: "ko" } });
  await click("Save");
  expect(await screen.findByText("저장했어요.")).toBeDefined();
  expect(zone.value).toBe("Europe/Berlin");
  expect(sent(asked, "PATCH").map(({ body }) => body)).toEqual([{ language: "ko" }]);
});

test("the list of time zones is left with Escape, and by keys alone is walked", async () => {
  serve(keeper());
  open("/settings");
  const zone = await screen.findByRole<HTMLInputElement>("combobox", { name: "Time zone" });
  fireEvent.keyDown(zone, { key: "ArrowDown" });
  fireEvent.change(zone, { target: { value: "australia" } });
  fireEvent.keyDown(zone, { key: "ArrowDown" });
  fireEvent.keyDown(zone, { key: "ArrowDown" });
  fireEvent.keyDown(zone, { key: "ArrowUp" });
  const second = within(screen.getByRole("listbox")).getAllByRole("option")[1];
  expect(zone.getAttribute("aria-activedescendant")).toBe(second?.id);
  expect(second?.getAttribute("aria-selected")).toBe("true");
  fireEvent.keyDown(zone, { key: "Escape" });
  expect(zone.getAttribute("aria-expanded")).toBe("false");
  expect(zone.value).toBe("Asia/Seoul");
});

test("Enter that ends a syllable of Hangul chooses no time zone", async () => {
  serve(keeper());
  open("/settings");
  const zone = await screen.findByRole<HTMLInputElement>("combobox", { name: "Time zone" });
  fireEvent.click(zone);
  fireEvent.change(zone, { target: { value: "new york" } });
  fireEvent.keyDown(zone, { key: "Enter", isComposing: true });
  expect(zone.getAttribute("aria-expanded")).toBe("true");
  fireEvent.keyDown(zone, { key: "Enter" });
  expect(zone.value).toBe("America/New_York");
});

test("domains are added by the handful and taken out again", async () => {
  const asked = serve(keeper());
  open("/settings/privacy");
  await type("Add sites", "https://www.clinic.example/x, bank.example\nmail.example");
  await click("Add");
  expect(await screen.findByText("Added: clinic.example, mail.example.")).toBeDefined();
  expect(screen.getByLabelText<HTMLTextAreaElement>("Add sites").value).toBe("");
  await click("Remove bank.example");
  await waitFor(() => {
    expect(screen.queryByText("bank.example")).toBeNull();
  });
  expect(sent(asked, "PATCH").map(({ body }) => body)).toEqual([
    { add: ["clinic.example", "bank.example", "mail.example"] },
    { remove: ["bank.example"] },
  ]);
});

test("a domain that was added in another browser stays, and is shown", async () => {
  serve(keeper({ excluded_domains: ["bank.example", "court.example"] }));
  open("/settings/privacy");
  await type("Add sites", "clinic.example");
  await click("Add");
  expect(await screen.findByText("Added: clinic.example.")).toBeDefined();
  const chips = within(screen.getByRole("list", { name: "Excluded sites" }));
  expect(chips.getAllByRole("listitem").map((chip) => chip.querySelector("span")?.textContent)).toEqual([
    "bank.example",
    "clinic.example",
    "court.example",
  ]);
});

test("what is no domain is named, and nothing is sent or lost", async () => {
  const asked = serve(keeper());
  open("/settings/privacy");
  await type("Add sites", "clinic.example nonsense you@mail.example");
  await click("Add");
  expect(screen.getByText(/Not a valid site: nonsense, you@mail.example/)).toBeDefined();
  expect(screen.getByLabelText<HTMLTextAreaElement>("Add sites").value).toContain("clinic.example");
  expect(sent(asked, "PATCH")).toEqual([]);
});

test("a server that is away under a screen of one's own says so and comes back by itself or by a click", async () => {
  const server: Server = {};
  serve(server);
  open("/settings");
  expect((await screen.findByRole("alert")).textContent).toContain("The server isn’t responding.");
  Object.assign(server, inside);
  await click("Try again");
  expect(await screen.findByRole("heading", { name: "General" })).toBeDefined();
});

test.each([
  {
    about: "devices",
    path: "/settings/devices",
    list: "GET /v1/devices",
    names: ["Chrome on Linux", "Old laptop"],
  },
  {
    about: "people",
    path: "/settings/server",
    list: "GET /v1/admin/users",
    names: ["a@example.com", "b@example.com"],
  },
  {
    about: "unsent mails",
    path: "/settings/server",
    list: "GET /v1/admin/mails",
    names: ["First mail", "Second mail"],
  },
])("$about beyond the first page are shown at a click", async ({ path, list, names }) => {
  const itemOf = (name: string) => ({
    ...device,
    id: name,
    name,
    email: name,
    role: "user",
    verified: true,
    subject: name,
    recipient: "mina@example.com",
    text: "Hello",
    is_current: false,
  });
  const asked = serve({
    ...inside,
    "GET /v1/admin/users": ok({ items: [], next_cursor: null }),
    "GET /v1/admin/mails": ok({ items: [], next_cursor: null }),
    [list]: ({ query }) =>
      query.get("cursor") === null
        ? ok({ items: [itemOf(names[0] ?? "")], next_cursor: "behind-the-first" })()
        : ok({ items: [itemOf(names[1] ?? "")], next_cursor: null })(),
  });
  open(path);
  expect(await screen.findByText(names[0] ?? "")).toBeDefined();
  expect(screen.queryByText(names[1] ?? "")).toBeNull();
  await click("Show more");
  expect(await screen.findByText(names[1] ?? "")).toBeDefined();
  expect(screen.getByText(names[0] ?? "")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  const cursors = asked.map(({ query }) => query.get("cursor")).filter((cursor) => cursor !== null);
  expect(cursors).toEqual(["behind-the-first"]);
});
