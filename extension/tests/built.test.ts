/** The built extension: which permissions it requires, and its size. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const OUTPUT = new URL("../.output/", import.meta.url);
const BROWSERS = ["chrome-mv3", "firefox-mv3"] as const;
/** Permissions without a warning at install. */
const WITHOUT_WARNING = new Set([
  "activeTab",
  "alarms",
  "contextMenus",
  "idle",
  "scripting",
  "storage",
  "unlimitedStorage",
]);
const KB = 1_000;

interface Manifest {
  readonly permissions: readonly string[];
  readonly host_permissions?: readonly string[];
  readonly optional_permissions: readonly string[];
  readonly optional_host_permissions: readonly string[];
  readonly content_scripts?: readonly unknown[];
  readonly incognito: string;
  readonly icons: Readonly<Record<string, string>>;
}

const read = (browser: string, file: string) => readFileSync(new URL(`${browser}/${file}`, OUTPUT));
const zipped = (browser: string, file: string) => gzipSync(read(browser, file), { level: 9 }).length;

// Needs `npm run build`; skipped without it.
describe.skipIf(!existsSync(OUTPUT)).each(BROWSERS)("%s", (browser) => {
  // Read in the tests: the callback of a skipped `describe` runs as well.
  const readManifest = () => JSON.parse(read(browser, "manifest.json").toString()) as Manifest;

  test("nothing at install causes a permission warning", () => {
    const manifest = readManifest();
    expect(manifest.host_permissions ?? []).toEqual([]);
    expect(manifest.permissions.filter((each) => !WITHOUT_WARNING.has(each))).toEqual([]);
    expect(manifest.content_scripts ?? []).toEqual([]);
    expect(manifest.optional_permissions).toEqual(["notifications", "webNavigation"]);
    expect(manifest.optional_host_permissions).toEqual(["http://*/*", "https://*/*"]);
  });

  test("private windows are inaccessible", () => {
    expect(readManifest().incognito).toBe("not_allowed");
  });

  test("icons and locales are there", () => {
    for (const icon of Object.values(readManifest().icons))
      expect(read(browser, icon).length).toBeGreaterThan(100);
    expect(readdirSync(new URL(`${browser}/_locales`, OUTPUT)).sort()).toEqual(["en", "ko"]);
  });

  test("the scripts are small", () => {
    const [content, background] = [
      zipped(browser, "content-scripts/content.js"),
      zipped(browser, "background.js"),
    ];
    console.log(`${browser}, gzipped: content script ${content} bytes, background ${background} bytes`);
    expect(content).toBeLessThanOrEqual(60 * KB);
    expect(background).toBeLessThanOrEqual(30 * KB);
  });
});
