import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { device, inside, listOf, ok, open, serve, session } from "../testing";

const extension = { ...device, id: "e1", kind: "extension" as const, name: "Firefox on Linux" };

async function done(): Promise<string[]> {
  await screen.findByRole("heading", { name: /^Account created/ });
  return screen
    .getAllByRole("heading", { level: 2 })
    .filter((heading) => heading.querySelector("span"))
    .map((heading) => heading.firstChild?.textContent ?? "");
}

test("what the demo brought was not recorded here", async () => {
  const demo = { ...session, device_id: null };
  serve({
    ...inside,
    "GET /v1/devices": ok({ items: [device, extension] }),
    "GET /v1/sessions": ok(listOf([demo])),
  });
  open("/first-steps");
  expect(await screen.findByText("Waiting for the first recording…")).toBeDefined();
  expect(await done()).toEqual(["Account created", "Load the extension", "Connect it to this server"]);
});

test("a session of an extension is the last step", async () => {
  serve({
    ...inside,
    "GET /v1/devices": ok({ items: [device, extension] }),
    "GET /v1/sessions": ok(
      listOf([
        { ...session, device_id: null },
        { ...session, device_id: "e1" },
      ]),
    ),
  });
  open("/first-steps");
  expect(await screen.findByRole("link", { name: "Open session" })).toBeDefined();
  expect(await done()).toContain("Record something");
});

test.each([
  { items: [device], current: "Load the extension" },
  { items: [device, extension], current: "Record something" },
])("one step is the next one: $current", async ({ items, current }) => {
  serve({ ...inside, "GET /v1/devices": ok({ items }) });
  open("/first-steps");
  const next = (await screen.findByRole("heading", { name: current })).closest("li");
  await waitFor(() => {
    expect([...document.querySelectorAll("[aria-current=step]")]).toEqual([next]);
  });
});
