import { describe, expect, test } from "vitest";
import type { Committed, Observation } from "./observations";
import type { Rules } from "./exclusions";
import { REDIRECT_WITHIN_MS } from "./redirects";
import { A, after, B, run } from "./testing";

const commit = (t: number, url: string, qualifiers: string[] = [], isSameDocument = false): Observation => ({
  kind: "committed",
  t,
  tabId: 1,
  url,
  isSameDocument,
  transition: "link",
  qualifiers,
});
const flags = (...observations: Observation[]) =>
  after(...observations).map((event) => event.payload?.redirect === true);

test("a page that redirects at once is a redirect's step", () => {
  expect(flags(commit(5_000, B), commit(5_300, "https://c.example/", ["client_redirect"]))).toEqual([
    false,
    true,
  ]);
});

test("a page that redirects after a while is a visit", () => {
  expect(
    flags(commit(5_000, B), commit(5_001 + REDIRECT_WITHIN_MS, "https://c.example/", ["client_redirect"])),
  ).toEqual([false, false]);
});

test("a redirect by the server has no step to replace", () => {
  expect(flags(commit(5_000, B), commit(5_100, "https://c.example/", ["server_redirect"]))).toEqual([
    false,
    false,
  ]);
});

test("the page from before the recording is no step", () => {
  expect(flags(commit(1_100, B, ["client_redirect"]))).toEqual([false]);
});

test("routes of an application that was reached by a redirect are no redirects, however soon they are left", () => {
  const hop = ["client_redirect"];
  expect(
    flags(
      commit(5_000, B),
      commit(5_300, A, hop),
      commit(5_800, `${A}one`, hop, true),
      commit(6_300, `${A}two`, hop, true),
    ),
  ).toEqual([false, true, false, false]);
});

test("each URL change by a script is recorded, and the document can still be a redirect's step", () => {
  const events = after(
    commit(5_000, `${B}?from=mail`),
    commit(5_020, `${B}?from`, [], true),
    commit(5_020, B, [], true),
    commit(5_300, `${A}next`, ["client_redirect"]),
  );
  expect(events.map(({ url, payload }) => [url, payload?.redirect])).toEqual([
    [`${B}?from=mail`, undefined],
    [`${B}?from`, undefined],
    [B, undefined],
    [`${A}next`, true],
  ]);
});

test("routes of an application are recorded; the same URL again is not", () => {
  const events = after(
    commit(5_000, `${A}route`, [], true),
    commit(5_100, `${A}route#part`, [], true),
    commit(5_200, `${A}other?q=1`, [], true),
  );
  expect(events.map((event) => event.url)).toEqual([`${A}route`, `${A}other?q=1`]);
});

test("a page that finishes loading at another URL is recorded", () => {
  const events = after(commit(5_000, B), { kind: "updated", t: 6_000, tabId: 1, url: A, title: "A" });
  expect(events.map((event) => [event.t, event.url])).toEqual([
    [5_000, B],
    [6_000, A],
  ]);
});

test("a load that is observed twice is one, and a reload is another", () => {
  const events = after(commit(5_000, B), commit(5_000, B), commit(5_001, B));
  expect(events.map(({ t }) => t)).toEqual([5_000, 5_001]);
});

test("a page that is left before its extraction has its title recorded", () => {
  const events = after(
    commit(5_000, B),
    { kind: "updated", t: 5_080, tabId: 1, title: "Bee" },
    { kind: "updated", t: 5_085, tabId: 1, title: "Bee (1)" },
    { kind: "updated", t: 5_090, tabId: 1, url: B, title: "Bee (1)" },
    commit(5_100, "https://c.example/"),
  );
  expect(events.map(({ type, t, url, payload }) => [type, t, url, payload?.title])).toEqual([
    ["NAV_COMMITTED", 5_000, B, undefined],
    ["NAV_COMMITTED", 5_080, B, "Bee"],
    ["NAV_COMMITTED", 5_100, "https://c.example/", undefined],
  ]);
});

test("a route does not get the previous route's title", () => {
  const events = after(commit(5_000, `${A}route`, [], true), {
    kind: "updated",
    t: 5_010,
    tabId: 1,
    url: `${A}route`,
    title: "A",
  });
  expect(events.map((event) => event.payload)).toEqual([{ transition: "link" }]);
});

test("an excluded page is recorded without URL and title", () => {
  const events = after(
    commit(5_000, "https://my.bank.example/account"),
    { kind: "updated", t: 5_100, tabId: 1, title: "Balance: 3" },
    { kind: "activated", t: 5_100, tabId: 2, windowId: 1 },
    { kind: "activated", t: 5_200, tabId: 1, windowId: 1 },
    {
      kind: "content",
      t: 5_300,
      tabId: 1,
      url: "https://bank.example/",
      content: "3",
      extractionOk: true,
      meta: {},
    },
    { kind: "highlight", t: 5_400, tabId: 1, url: "https://bank.example/", text: "3" },
    commit(5_500, "https://bank.example./again"),
    commit(5_600, "chrome://settings/"),
  );
  expect(events).toEqual([
    { type: "NAV_COMMITTED", t: 5_000, tabId: 1, windowId: 1 },
    { type: "TAB_ACTIVATED", t: 5_100, tabId: 2, windowId: 1, url: B },
    { type: "TAB_ACTIVATED", t: 5_200, tabId: 1, windowId: 1 },
  ]);
});

test("with a list, only its sites are recorded", () => {
  const rules: Rules = { excluded: [], only: ["b.example"] };
  const events = run([commit(1, A), commit(2, B), commit(3, "https://www.b.example/x")], rules).events;
  expect(events.map((event) => event.url)).toEqual([undefined, B, "https://www.b.example/x"]);
});

describe("how the user came", () => {
  const payloads = (...observations: Observation[]) => after(...observations).map(({ payload }) => payload);
  const open = (openerTabId: number): Observation[] => [
    { kind: "created", t: 4_000, tabId: 1_000, windowId: 2, isPrivate: false, openerTabId },
  ];
  const commitIn = (tabId: number, transition: string, url: string): Observation => ({
    ...(commit(5_000, url) as Committed),
    tabId,
    transition,
  });

  test("going back or forward is that, however the page was reached before", () => {
    const back: Observation = { ...(commit(5_000, B, ["forward_back"]) as Committed), transition: "typed" };
    expect(payloads(back)).toEqual([{ transition: "forward_back", newDocument: true }]);
  });

  test("going back within an application is the same document", () => {
    expect(payloads(commit(5_000, `${A}route`, ["forward_back"], true))).toEqual([
      { transition: "forward_back" },
    ]);
  });

  test("a form that posts to its own URL brings a new document; a reload does not", () => {
    const post: Observation = { ...(commit(5_000, A) as Committed), transition: "form_submit" };
    const reload: Observation = { ...(commit(6_000, A) as Committed), transition: "reload" };
    expect(payloads(post, reload)).toEqual([
      { transition: "form_submit", newDocument: true },
      { transition: "reload" },
    ]);
  });

  test("a link in a new tab has an opener", () => {
    const [event] = after(...open(1), commitIn(1_000, "link", B));
    expect(event?.payload).toMatchObject({ openerTabId: 1 });
  });

  test.each(["typed", "generated", "auto_bookmark", "keyword"])(
    "a page that is %s in a new tab has none",
    (transition) => {
      expect(payloads(...open(1), commitIn(1_000, transition, B))[0]).not.toHaveProperty("openerTabId");
    },
  );

  test("a link on the browser's new tab page was not opened from the other tab", () => {
    const events = after(
      ...open(1),
      commitIn(1_000, "typed", "chrome://newtab/"),
      commitIn(1_000, "link", B),
    );
    expect(events.at(-1)?.payload).toEqual({ transition: "link", newDocument: true });
  });

  test("a window that a script opens is empty first, and keeps its opener", () => {
    const events = after(...open(1), commitIn(1_000, "link", "about:blank"), commitIn(1_000, "link", B));
    expect(events.at(-1)?.payload).toMatchObject({ openerTabId: 1 });
  });
});

test("a redirect to a page that is not recorded says so, and nothing else", () => {
  const events = after(commit(5_000, B), commit(5_300, "https://bank.example/x", ["client_redirect"]));
  expect(events.at(-1)).toEqual({
    type: "NAV_COMMITTED",
    t: 5_300,
    tabId: 1,
    windowId: 1,
    payload: { redirect: true },
  });
});

test("routes in the fragment are sent, positions and secrets are not", () => {
  const urls = ["#/inbox", "#/inbox/3", "#!/old", "#access_token=1", "#part"].map((part) => `${B}${part}`);
  const events = after(...urls.map((url, index) => commit(5_000 + index, url, [], index > 0)));
  expect(events.map(({ url }) => url)).toEqual([`${B}#/inbox`, `${B}#/inbox/3`, `${B}#!/old`, B]);
  expect(events.map(({ payload }) => payload?.newDocument)).toEqual([true, undefined, undefined, undefined]);
});

describe("credentials in the address", () => {
  const secret = "https://me:secret@b.example/b#token=1";

  test("are not sent, and the server must not fetch the page", () => {
    const [event] = after(commit(5_000, secret));
    expect([event?.url, event?.payload?.noFetch]).toEqual([B, true]);
  });

  test("also hold for what follows of the page: its title, its text, another activation", () => {
    const events = after(
      commit(5_000, secret),
      { kind: "updated", t: 5_050, tabId: 1, title: "Bee" },
      { kind: "content", t: 5_100, tabId: 1, url: B, content: "x", extractionOk: true, meta: {} },
      { kind: "activated", t: 5_200, tabId: 2, windowId: 1 },
      { kind: "activated", t: 5_600, tabId: 1, windowId: 1 },
    );
    const own = events.filter(({ tabId }) => tabId === 1);
    expect(own.map(({ payload }) => payload?.noFetch)).toEqual([true, true, true, true]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("do not hold for the next page", () => {
    const events = after(commit(5_000, secret), commit(6_000, `${B}/next`));
    expect(events.map(({ payload }) => payload?.noFetch)).toEqual([true, undefined]);
  });
});
