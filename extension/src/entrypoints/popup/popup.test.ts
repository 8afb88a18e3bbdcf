// @vitest-environment jsdom
/** The popup as the user sees it: its texts and buttons. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import english from "../../../public/_locales/en/messages.json";
import type { Request, Status } from "../../messages";
import { READY, recording } from "./testing";

let asked: Request[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
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
    return Promise.resolve({ ok: true, status });
  };
  vi.resetModules();
  vi.doMock("@wxt-dev/browser", () => ({
    browser: { i18n: { getMessage }, runtime: { sendMessage, getURL: (path: string) => path } },
  }));
  document.body.innerHTML = '<main id="popup"></main>';
  await import("./main");
  await vi.advanceTimersByTimeAsync(0);
  return [...document.querySelectorAll("p, h2, button")].map((element) => element.textContent);
}

test("after a stop with an unreachable server it shows what is unsent, and another recording can be started", async () => {
  const texts = await popup({ ...READY, isStopping: true, isOffline: true, unsent: 7 });
  expect(texts).toEqual([english.waiting.message.replace("$1", "7"), english.start.message]);
  document.querySelector("button")?.click();
  expect(asked.at(-1)).toEqual({ ask: "start" });
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

test("unsent events of another account are shown", async () => {
  const texts = await popup({ ...READY, isOffline: true, unsent: 2, unsentElsewhere: 2 });
  const elsewhere = english.unsentElsewhere.message.replace("$1", "2");
  expect(texts).toEqual([elsewhere, english.ready.message, english.start.message]);
});
