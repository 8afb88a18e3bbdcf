import { expect, test } from "vitest";
import { describeZones, searchZones, zonesWith } from "./time-zones";

const zones = describeZones(zonesWith("Mars/Olympus_Mons"), "ko");
const found = (words: string) => searchZones(zones, words).map((zone) => zone.value);

test.each(["seoul", "Asia seoul", "한국", "korean", "gmt+9 asia"])("%s finds Seoul", (words) => {
  expect(found(words)).toContain("Asia/Seoul");
});

test("words that are far from it do not", () => {
  expect(found("europe seoul")).toEqual([]);
  expect(found("new york")).toEqual(["America/New_York"]);
});

test("no words find all, with UTC and the chosen one even where this browser does not know it", () => {
  expect(found("")).toHaveLength(zones.length);
  expect(found("")).toEqual(expect.arrayContaining(["UTC", "Mars/Olympus_Mons"]));
});
