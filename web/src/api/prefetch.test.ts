import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import prefetchScript from "../../public/prefetch.js?raw";
import { inside, listOf, ok, open, problem, me, serve, session, type Asked } from "../testing";

afterEach(() => {
  cleanup();
  globalThis.mindhitPrefetched = undefined;
});

const path = `/sessions/${session.id}`;
const head = { ...session, acked_seq: 0, event_count: 0, rejected_count: 0, error: null };
const server = {
  ...inside,
  "GET /v1/sessions": ok(listOf([session])),
  [`GET /v1${path}`]: ok({ session: head, page_visits: [], highlights: [], pauses: [], holes: [] }),
};

/** As the browser runs it, before the app. */
function runEarly(at: string): void {
  history.replaceState(null, "", at);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the file itself is under test
  new Function(prefetchScript)();
}

const addresses = (asked: readonly Asked[]) => asked.map((each) => `${each.path}?${each.query.toString()}`);

test.each([
  { at: "/", count: 4 },
  { at: "/?q=bread", count: 2 },
  { at: path, count: 2 },
])("what is asked for early at $at is what the app asks for, and only once", async ({ at, count }) => {
  const asked = serve(server);
  runEarly(at);
  const before = addresses(asked);
  expect(before).toHaveLength(count);
  open(at);
  await screen.findAllByText(session.title ?? "");
  expect(globalThis.mindhitPrefetched?.size).toBe(0);
  for (const address of before)
    expect(addresses(asked).filter((each) => each === address)).toEqual([address]);
});

test("nothing is asked for early where the first screen needs nothing", () => {
  const asked = serve(server);
  runEarly("/settings");
  expect(asked).toEqual([]);
});

test("what was refused early is asked for again: somebody may have signed in meanwhile", async () => {
  let isIn = false;
  serve({ ...server, "GET /v1/me": () => (isIn ? ok(me)() : problem(401, "not-signed-in")()) });
  runEarly("/");
  isIn = true;
  open("/");
  expect(await screen.findByRole("link", { name: session.title ?? "" })).toBeDefined();
});

test("an answer is read to its end before the app asks for it", async () => {
  const answered: Response[] = [];
  const detail = server[`GET /v1${path}`];
  serve({
    ...server,
    [`GET /v1${path}`]: async (asked: Asked) => {
      const answer = (await detail?.(asked)) ?? Response.error();
      answered.push(answer);
      return answer;
    },
  });
  runEarly(path);
  await globalThis.mindhitPrefetched?.get(`/v1${path}`);
  expect(answered.map(({ bodyUsed }) => bodyUsed)).toEqual([true]);
});

test.each([
  { at: path, files: ["/assets/a.js", "/assets/a.css"] },
  { at: "/", files: [] },
])("the files of a session's screen are asked for early at $at", ({ at, files }) => {
  serve(server);
  const script = document.createElement("script");
  script.dataset["session"] = "/assets/a.js /assets/a.css";
  Object.defineProperty(document, "currentScript", { value: script, configurable: true });
  runEarly(at);
  Reflect.deleteProperty(document, "currentScript");
  const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel$="preload"]')];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(files);
  for (const link of links) link.remove();
});
