/** The keyword `mh` in the address bar. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { advance, type FakeBrowser, type FakeHttpServer, setUp, startWorker } from "./testing";
import { SERVER } from "./testing/fake-browser";

let browser: FakeBrowser;
let server: FakeHttpServer;

beforeEach(() => {
  ({ browser, server } = setUp());
  server.suggestions = [
    { title: "Wild <yeast> & co", domain: "bread.example", session_id: "s1", visit: 7, page_id: null },
    { title: "Saved", domain: null, session_id: null, visit: null, page_id: "p1" },
  ];
});
afterEach(() => {
  vi.useRealTimers();
});

test("what is typed last is suggested, and leads to the visit", async () => {
  const worker = await startWorker(browser);
  const suggest = vi.fn();
  for (const text of ["w", "wi", "wild"]) worker.emit(worker.api.omnibox.onInputChanged, text, suggest);
  await advance(1_000);
  expect(server.requests.filter((each) => each.includes("/v1/search"))).toHaveLength(1);
  expect(suggest.mock.calls).toEqual([
    [
      [
        {
          content: `${SERVER}/sessions/s1?visit=7`,
          description: "Wild &#60;yeast&#62; &#38; co – bread.example",
        },
        { content: `${SERVER}/library/pages/p1`, description: "Saved" },
      ],
    ],
  ]);
  worker.emit(worker.api.omnibox.onInputEntered, `${SERVER}/sessions/s1?visit=7`, "currentTab");
  await advance(100);
  expect(browser.opened).toEqual([`${SERVER}/sessions/s1?visit=7`]);
});

test("words that are no suggestion open the search screen; an address elsewhere is words", async () => {
  const worker = await startWorker(browser);
  worker.emit(worker.api.omnibox.onInputEntered, "wild yeast", "newForegroundTab");
  worker.emit(worker.api.omnibox.onInputEntered, "https://evil.example/", "currentTab");
  await advance(100);
  expect(browser.opened).toEqual([
    `${SERVER}/search?q=wild+yeast`,
    `${SERVER}/search?q=https%3A%2F%2Fevil.example%2F`,
  ]);
});

test("nothing is sent before it is connected, and an unreachable server suggests nothing", async () => {
  browser.local.delete("account");
  const worker = await startWorker(browser);
  const suggest = vi.fn();
  worker.emit(worker.api.omnibox.onInputChanged, "wild", suggest);
  await advance(1_000);
  expect(suggest.mock.calls).toEqual([[[]]]);
  expect(server.requests.filter((each) => each.includes("/v1/search"))).toEqual([]);
});
