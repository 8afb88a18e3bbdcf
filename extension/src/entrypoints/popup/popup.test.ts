// @vitest-environment jsdom
/** The popup as its reader meets it: what it says, and what can be done. */
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

/** Its words, one after the other. */
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

test("after a stop while the server is away it says what waits, and another recording can be started", async () => {
  const words = await popup({ ...READY, isStopping: true, isOffline: true, unsent: 7 });
  expect(words).toEqual([english.waiting.message.replace("$1", "7"), english.start.message]);
  document.querySelector("button")?.click();
  expect(asked.at(-1)).toEqual({ ask: "start" });
});

test("while the rest is sent there is nothing to do", async () => {
  expect(await popup({ ...READY, isStopping: true, unsent: 7 })).toEqual([english.stopping.message]);
});

test("only a recording that goes on is said to go on", async () => {
  const goesOn = english.offline.message.replace("$1", "7");
  const offline = { ...READY, isOffline: true, unsent: 9, unsentElsewhere: 2, recording };
  expect(await popup(offline)).toContain(goesOn);
  const interrupted = await popup({ ...offline, recording: { ...recording, isInterrupted: true } });
  expect(interrupted).not.toContain(goesOn);
});

test("what belongs to another account is said to wait here", async () => {
  const words = await popup({ ...READY, isOffline: true, unsent: 2, unsentElsewhere: 2 });
  const elsewhere = english.unsentElsewhere.message.replace("$1", "2");
  expect(words).toEqual([elsewhere, english.ready.message, english.start.message]);
});
