/** What was built: what it asks for at install, and how large it is. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const OUTPUT = new URL("../.output/", import.meta.url);
const BROWSERS = ["chrome-mv3", "firefox-mv3"] as const;
/** Permissions that no browser warns of when the extension is installed. */
const QUIET = new Set(["alarms", "contextMenus", "idle", "scripting", "storage", "unlimitedStorage"]);
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

// `npm run build` comes first; where it has not, there is nothing to look at, and the build's own run will.
describe.skipIf(!existsSync(OUTPUT)).each(BROWSERS)("%s", (browser) => {
  const manifest = JSON.parse(read(browser, "manifest.json").toString()) as Manifest;

  test("nothing is asked for at install that a browser warns of", () => {
    expect(manifest.host_permissions ?? []).toEqual([]);
    expect(manifest.permissions.filter((each) => !QUIET.has(each))).toEqual([]);
    expect(manifest.content_scripts ?? []).toEqual([]);
    expect(manifest.optional_permissions).toEqual(["webNavigation"]);
    expect(manifest.optional_host_permissions).toEqual(["http://*/*", "https://*/*"]);
  });

  test("private windows are out of reach", () => {
    expect(manifest.incognito).toBe("not_allowed");
  });

  test("all that it names is there", () => {
    for (const icon of Object.values(manifest.icons)) expect(read(browser, icon).length).toBeGreaterThan(100);
    expect(readdirSync(new URL(`${browser}/_locales`, OUTPUT)).sort()).toEqual(["en", "ko"]);
  });

  test("it is small", () => {
    const [content, background] = [
      zipped(browser, "content-scripts/content.js"),
      zipped(browser, "background.js"),
    ];
    console.log(`${browser}, gzipped: content script ${content} bytes, background ${background} bytes`);
    expect(content).toBeLessThanOrEqual(60 * KB);
    expect(background).toBeLessThanOrEqual(30 * KB);
  });
});
