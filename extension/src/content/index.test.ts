// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { watchPage } from ".";

const { addListener } = vi.hoisted(() => ({ addListener: vi.fn() }));
vi.mock("@wxt-dev/browser", () => {
  const answer = () => Promise.resolve({ ok: true, isRecording: true, tab: { tabId: 1, windowId: 1 } });
  const runtime = { id: "us", onMessage: { addListener, removeListener: vi.fn() }, sendMessage: answer };
  const local = {
    get: () => Promise.resolve({}),
    set: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  };
  return { browser: { runtime, storage: { local } } };
});
vi.mock("./icon", () => ({ drawIcon: () => Promise.resolve(undefined) }));

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the content script runs in the page, once, and not in frames", () => {
  vi.stubGlobal("window", { top: {} });
  void watchPage();
  expect(addListener).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
  void watchPage();
  void watchPage();
  expect(addListener).toHaveBeenCalledOnce();
});
