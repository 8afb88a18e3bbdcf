// @vitest-environment jsdom
/** The popup as the user sees it: its texts and buttons. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import english from "../../../public/_locales/en/messages.json";
import type { Reply, Request, Status } from "../../messages";
import { READY, recording } from "./testing";

const TAB = { id: 1, url: "https://www.news.example/a", title: "The news", incognito: false };

let asked: Request[];
let stored: Record<string, unknown>;
let tab: Partial<typeof TAB>;
let refused: Reply | null;
/** What the web app in the active tab says about itself. */
let app: string | null;
/** What the server knows of the page. */
let known: object | null;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  stored = {};
  tab = TAB;
  refused = null;
  app = null;
  known = null;
});
afterEach(() => {
  vi.useRealTimers();
});

/** Its texts, in order. */
async function popup(status: Status): Promise<string[]> {
  const getMessage = (key: keyof typeof english, values: readonly string[] = []) =>
    values.reduce((text, value, index) => text.replace(`$${index + 1}`, value), english[key].message);
  const sendMessage = (request: Request) => {
    asked.push(request);
    if (request.ask === "look-up") return Promise.resolve({ ok: true, status, known });
    return Promise.resolve(
      request.ask === "status" ? { ok: true, status } : (refused ?? { ok: true, status }),
    );
  };
  const area = { get: (key: string) => Promise.resolve({ [key]: stored[key] }) };
  vi.resetModules();
  vi.doMock("@wxt-dev/browser", () => ({
    browser: {
      i18n: { getMessage },
      runtime: { sendMessage, getURL: (path: string) => path },
      storage: { local: area, session: area },
      tabs: { query: () => Promise.resolve([tab]) },
      scripting: { executeScript: () => Promise.resolve([{ result: app }]) },
    },
  }));
  document.body.innerHTML = '<main id="popup"></main>';
  await import("./main");
  await vi.advanceTimersByTimeAsync(50);
  return texts("#popup > p, #popup > h2, #popup > button, #popup > .row > h2, #popup > .row > button");
}
const texts = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => element.textContent);
const press = async (label: string) => {
  const found = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === label);
  if (found === undefined) throw new Error(`no button "${label}"`);
  found.click();
  await vi.advanceTimersByTimeAsync(50);
};
/** What the user asked for; the rest the popup asks by itself. */
const sent = () => asked.filter(({ ask }) => ask !== "status" && ask !== "sync" && ask !== "look-up");

test("after a stop with an unreachable server it shows what is unsent, and another recording can be started", async () => {
  expect(await popup({ ...READY, isStopping: true, isOffline: true, unsent: 7 })).toEqual([
    english.waiting.message.replace("$1", "7"),
    english.start.message,
  ]);
  await press(english.start.message);
  expect(sent()).toEqual([{ ask: "start" }]);
});

test("while the rest is being sent there is no button", async () => {
  expect(await popup({ ...READY, isStopping: true, unsent: 7 })).toEqual([english.stopping.message]);
});

test("only a running recording is said to continue", async () => {
  const continues = english.offline.message.replace("$1", "7");
  const offline = { ...READY, isOffline: true, unsent: 9, unsentElsewhere: 2, recording };
  expect(await popup(offline)).toContain(continues);
  const interrupted = await popup({ ...offline, recording: { ...recording, isInterrupted: true } });
  expect(interrupted).not.toContain(continues);
});

test("a server that has no space, or takes no more today, is not said to be out of reach", async () => {
  const offline = { ...READY, isOffline: true, unsent: 7, recording };
  const full = english.serverFull.message.replace("$1", "7");
  expect(await popup({ ...offline, refusal: "no-space" })).toContain(full);
  const limit = english.dailyLimit.message.replace("$1", "7");
  expect(await popup({ ...offline, refusal: "daily-limit" })).toContain(limit);
});

test("unsent events of another account are shown", async () => {
  const shown = await popup({ ...READY, isOffline: true, unsent: 2, unsentElsewhere: 2 });
  const elsewhere = english.unsentElsewhere.message.replace("$1", "2");
  expect(shown).toEqual([elsewhere, english.ready.message, english.start.message]);
});

test("over the plan's limit it says which session runs, where and since when, and offers to replace it", async () => {
  const running = [{ id: "other", title: "Travel", startedAt: 1, device: "Firefox on Linux" }];
  const outcome = { id: "a", owner: "o", at: Date.now(), is: "limit" as const, running };
  const [limit, which, button] = await popup({ ...READY, outcome });
  expect([limit, button]).toEqual([english.limit.message, english.replace.message]);
  expect(which).toMatch(/“Travel” has been recording on Firefox on Linux since .*1970/);
  await press(english.replace.message);
  expect(sent()).toEqual([{ ask: "replace", session: "other" }]);
});

describe("this page", () => {
  const state = () => texts(".page-state")[0];

  test("has its title, and says that it is recorded", async () => {
    await popup({ ...READY, recording });
    expect([texts(".page-title")[0], state()]).toEqual(["The news", english.pageRecorded.message]);
  });

  test.each([
    [{ ...READY, recording }, { url: "chrome://settings/" }, {}, english.pageNotWeb.message],
    [{ ...READY, recording }, { url: "http://server/sessions" }, {}, english.pageOwnServer.message],
    [{ ...READY, recording }, { incognito: true }, {}, english.pagePrivate.message],
    [{ ...READY, recording }, {}, { settings: { only: ["a.example"] } }, english.pageNotListed.message],
    [{ ...READY, recording, pause: { from: 0, until: null } }, {}, {}, english.pagePaused.message],
    [READY, {}, {}, english.pageIdle.message],
    [
      { ...READY, recording },
      {},
      { accountExcluded: ["news.example"] },
      english.pageExcluded.message.replace("$1", "news.example"),
    ],
  ])("says why it is not recorded (%#)", async (status, page, kept, expected) => {
    tab = { ...TAB, ...page };
    stored = { account: { server: "http://server" }, ...kept };
    await popup(status);
    expect(state()).toBe(expected);
  });

  test("can be excluded with its site, and recorded again", async () => {
    await popup({ ...READY, recording });
    await press(english.neverRecord.message);
    expect(sent()).toEqual([{ ask: "exclude", add: ["news.example"], remove: [] }]);
    stored = { accountExcluded: ["example"] };
    await vi.advanceTimersByTimeAsync(1_000);
    await press(english.recordAgain.message.replace("$1", "example"));
    expect(sent().at(-1)).toEqual({ ask: "exclude", add: [], remove: ["example"] });
  });

  test("has its selection highlighted; without one it says what to do", async () => {
    await popup({ ...READY, recording });
    await press(english.highlightNow.message);
    expect(texts(".notice")).toEqual([english.highlightDone.message]);
    refused = { ok: false, reason: "", refused: "nothing-selected" };
    await press(english.highlightNow.message);
    expect(texts(".notice")).toEqual([english.nothingSelected.message]);
  });
});

describe("forgetting", () => {
  test("asks first, and can be cancelled", async () => {
    await popup({ ...READY, recording });
    await press(english.forgetHour.message);
    expect(texts(".forget p")).toEqual([english.forgetHourSure.message]);
    await press(english.cancel.message);
    expect(sent()).toEqual([]);
    await press(english.forgetSite.message.replace("$1", "news.example"));
    await press(english.forgetYes.message);
    expect(sent()).toEqual([{ ask: "forget", what: { domain: "news.example" } }]);
    expect(texts(".notice")).toEqual([english.forgotten.message]);
  });

  test("says when the server can't be reached", async () => {
    refused = { ok: false, reason: "", refused: "unreachable" };
    await popup({ ...READY, recording });
    await press(english.forgetHour.message);
    await press(english.forgetYes.message);
    expect(texts(".notice")).toEqual([english.serverNeeded.message]);
  });
});

test("a recording has a name, a link, and buttons to pause and stop it", async () => {
  const name = { title: "Lighthouses", morePages: 9 };
  await popup({ ...READY, recording: { ...recording, name } });
  expect(texts(".name")).toEqual(["Lighthouses and 9 more pages"]);
  expect(document.querySelector<HTMLAnchorElement>("#popup > a")?.href).toBe(recording.link);
  await press(english.pause.message);
  await press(english.stop.message);
  expect(sent()).toEqual([{ ask: "pause", length: "resumed" }, { ask: "stop" }]);
});

test("recording by itself can be paused for an hour or until tomorrow, and resumed", async () => {
  await popup({ ...READY, isAutomatic: true, recording: { ...recording, isByItself: true } });
  await press(english.pauseHour.message);
  await press(english.pauseTomorrow.message);
  const pause = { from: 0, until: Date.now() + 3_600_000 };
  await popup({ ...READY, isAutomatic: true, pause });
  await press(english.resume.message);
  expect(sent()).toEqual([
    { ask: "pause", length: "hour" },
    { ask: "pause", length: "tomorrow" },
    { ask: "resume" },
  ]);
});

test("in the web app's own tab it offers to connect there", async () => {
  app = "http://127.0.0.1:8787";
  const shown = await popup({ ...READY, account: null });
  expect(shown[0]).toBe(english.connectHere.message.replace("$1", "127.0.0.1:8787"));
});

describe("saving to the library", () => {
  test("is one press; the page is saved, or waits for the server", async () => {
    await popup(READY);
    await press(english.saveShort.message);
    expect(sent()).toEqual([{ ask: "save" }]);
    expect(texts("#popup > p")).toContain(english.saveDone.message);
    await popup({ ...READY, unsentPages: 1 });
    await press(english.saveShort.message);
    expect(texts("#popup > p")).toContain(english.saveWaiting.message);
  });

  test("a page saved or seen before has a word of it", async () => {
    const at = "2026-11-15T10:00:00Z";
    const seen = { first_at: at, last_at: at, visits: 2, focused_ms: 65_000, highlights: 3 };
    known = { pages: [{ created_at: at }], seen };
    await popup(READY);
    const [saved, last, highlights] = texts(".known");
    expect(saved).toMatch(/^In your library since Nov 15, 2026/);
    expect(last).toMatch(/^Last seen Nov 15, 2026.* 00:01:05 in total$/);
    expect(highlights).toBe("Highlights: 3");
  });

  test("the address of an excluded page stays in the browser", async () => {
    stored = { settings: { excluded: ["news.example"] } };
    await popup(READY);
    expect(asked.map(({ ask }) => ask)).not.toContain("look-up");
  });
});
