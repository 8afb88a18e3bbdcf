// @vitest-environment jsdom
import { ICON_PREFIX } from "@mindhit/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NOTHING_KNOWN } from "../capture/state";
import { reduce } from "../capture/reduce";
import { drawIcon } from "./icon";

const SMALL = `${ICON_PREFIX}AAAA`;
const asked = vi.fn<typeof fetch>();
const draw = vi.fn<(image: Blob) => Promise<string>>();
const never = new AbortController().signal;

beforeEach(() => {
  document.head.innerHTML = "";
  document.body.innerHTML = "";
  asked.mockReset().mockImplementation(() => Promise.resolve(answer(10)));
  draw.mockReset().mockResolvedValue(SMALL);
  vi.stubGlobal("fetch", asked);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function answer(bytes: number, status = 200): Response {
  return new Response(new Uint8Array(bytes), { status, headers: { "content-type": "image/x-icon" } });
}

const icon = () => drawIcon(document, never, draw);

test("the page's own icon is fetched, from the cache and without cookies", async () => {
  document.head.innerHTML =
    '<link rel="shortcut ICON" href="/icons/own.svg"><link rel="icon" href="/other.png">';
  expect(await icon()).toBe(SMALL);
  expect(asked).toHaveBeenCalledOnce();
  const [address, options] = asked.mock.calls[0] ?? [];
  expect(address).toBe(`${location.origin}/icons/own.svg`);
  expect(options).toMatchObject({ cache: "force-cache", credentials: "omit" });
  expect(draw.mock.calls[0]?.[0]).toMatchObject({ size: 10, type: "image/x-icon" });
});

test("a page without an icon link has its site's favicon.ico", async () => {
  expect(await icon()).toBe(SMALL);
  expect(asked.mock.calls[0]?.[0]).toBe(`${location.origin}/favicon.ico`);
});

test("an icon that is missing, unreadable, no image or too large is left out", async () => {
  asked.mockResolvedValueOnce(answer(10, 404));
  expect(await icon()).toBeUndefined();
  asked.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  expect(await icon()).toBeUndefined();
  asked.mockResolvedValueOnce(answer(100_001));
  expect(await icon()).toBeUndefined();
  expect(draw).not.toHaveBeenCalled();
  draw.mockRejectedValueOnce(new Error("no picture"));
  expect(await icon()).toBeUndefined();
  draw.mockResolvedValueOnce(ICON_PREFIX.padEnd(4_001, "A"));
  expect(await icon()).toBeUndefined();
  draw.mockResolvedValueOnce("data:,");
  expect(await icon()).toBeUndefined();
  draw.mockResolvedValueOnce(ICON_PREFIX.padEnd(4_000, "A"));
  expect(await icon()).toHaveLength(4_000);
});

test("an icon that takes longer than a second is left out", async () => {
  asked.mockImplementation(
    (_, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => {
          reject(new DOMException("too late", "TimeoutError"));
        });
      }),
  );
  expect(await icon()).toBeUndefined();
});

test("on a page with a password field no icon is fetched", async () => {
  document.body.innerHTML = '<input type="password">';
  expect(await icon()).toBeUndefined();
  expect(asked).not.toHaveBeenCalled();
});

test("an icon is not cut", () => {
  const favicon = ICON_PREFIX.padEnd(4_000, "A");
  const content = { kind: "content", t: 1, tabId: 1, url: location.href, content: "x" } as const;
  const report = { ...content, extractionOk: true, meta: { favicon } };
  const { events } = reduce(NOTHING_KNOWN, report, { excluded: [], only: null });
  expect(events.map(({ payload }) => payload?.meta?.favicon)).toEqual([favicon]);
});

test("the page is not modified", async () => {
  document.head.innerHTML = '<link rel="icon" href="/own.png">';
  const html = document.documentElement.outerHTML;
  await icon();
  expect(document.documentElement.outerHTML).toBe(html);
});
