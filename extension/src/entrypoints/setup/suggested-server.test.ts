// @vitest-environment jsdom
/** Where the server's address comes from. */
import { afterEach, expect, test, vi } from "vitest";

interface World {
  readonly search?: string;
  readonly account?: { readonly server: string };
  readonly file?: string;
  readonly tabs?: readonly { readonly url?: string; readonly title?: string }[];
}

async function suggested({ search = "", account, file, tabs = [] }: World): Promise<string> {
  vi.resetModules();
  vi.doMock("@wxt-dev/browser", () => ({
    browser: {
      runtime: { getURL: (path: string) => path },
      storage: { local: { get: () => Promise.resolve({ account }) } },
      tabs: { query: () => Promise.resolve(tabs) },
    },
  }));
  vi.stubGlobal("fetch", () =>
    file === undefined ? Promise.reject(new TypeError("no such file")) : Promise.resolve(new Response(file)),
  );
  history.replaceState({}, "", `/setup.html${search}`);
  return (await import("./suggested-server")).suggestedServer();
}

afterEach(() => {
  history.replaceState({}, "", "/");
});

const file = JSON.stringify({ url: "http://127.0.0.1:8787" });

test("a build that a server handed out carries its address", async () => {
  expect(await suggested({ file })).toBe("http://127.0.0.1:8787");
});

test("a build without one, or with a broken one, suggests nothing", async () => {
  for (const broken of [undefined, "", "<html>", "{}", '{"url": 1}', '{"url": "two words"}'])
    expect(await suggested(broken === undefined ? {} : { file: broken })).toBe("");
});

test("the tab in which the popup was opened comes first, then the account", async () => {
  const account = { server: "https://mind.example" };
  expect(await suggested({ search: "?server=http%3A%2F%2Fnas%3A8787", account, file })).toBe(
    "http://nas:8787",
  );
  expect(await suggested({ search: "?server=", account, file })).toBe("https://mind.example");
});

test("an open tab of the web app is recognised where the browser shows it", async () => {
  const tabs = [
    { title: "MindHit" },
    { url: "https://blog.example/mindhit", title: "About MindHit and others" },
    { url: "http://localhost:8787/sessions", title: "Sessions · MindHit" },
  ];
  expect(await suggested({ tabs })).toBe("http://localhost:8787");
});
