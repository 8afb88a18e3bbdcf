import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { inside, ok, open, serve } from "../../testing";

afterEach(cleanup);

async function choose(browser: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name: browser }));
}

const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test.each([
  { browser: "Chrome", page: "chrome://extensions" },
  { browser: "Edge", page: "edge://extensions" },
  { browser: "Brave", page: "brave://extensions" },
])("on the server's own machine $browser loads the folder", async ({ browser, page }) => {
  serve(inside);
  open("/first-steps");
  await choose(browser);
  expect(value("Extension folder")).toBe("/home/mina/MindHit-extension/chrome");
  expect(value("Address to open")).toBe(page);
  expect(screen.getByText(/^Click “Load unpacked”, paste the path/)).toBeDefined();
});

test("from another machine the extension is downloaded", async () => {
  const elsewhere = ok({ version: "9.8.7", downloads: ["chrome", "firefox"], folder: null });
  serve({ ...inside, "GET /v1/extension": elsewhere });
  open("/first-steps");
  await choose("Chrome");
  const download = screen.getByRole("link", { name: "Download the extension" });
  expect(download.getAttribute("href")).toBe("/extension/chrome.zip");
  expect(screen.queryByLabelText("Extension folder")).toBeNull();
});

test("Firefox takes the zip as it is, and is said to forget it", async () => {
  serve(inside);
  open("/first-steps");
  await choose("Firefox");
  const download = screen.getByRole("link", { name: "Download the extension" });
  expect(download.getAttribute("href")).toBe("/extension/firefox.zip");
  expect(value("Address to open")).toBe("about:debugging#/runtime/this-firefox");
  expect(screen.getByText(/Firefox removes temporary add-ons/)).toBeDefined();
});

test("a server that has none built says so", async () => {
  serve({ ...inside, "GET /v1/extension": ok({ version: "9.8.7", downloads: [], folder: null }) });
  open("/first-steps");
  expect(await screen.findByText(/This server has no built extension/)).toBeDefined();
});
