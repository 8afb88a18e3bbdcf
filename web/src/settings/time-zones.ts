/** The world's time zones, to be found by place, by name in the person's language, or by offset. */
import type { Option } from "../ui/forms/combobox";

/** All that this browser knows, with `also` in it even if it is newer than the browser. */
export function zonesWith(also: string): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", also])].sort();
}

/** Every word typed has to be in the zone's name or in what is said of it: `asia seoul`, `korean`, `한국`, `+9`. */
export function searchZones(zones: readonly Option[], words: string): readonly Option[] {
  const wanted = words.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
  return zones.filter(({ value, note, also = "" }) => {
    const known = `${value} ${note} ${also}`.toLowerCase().replaceAll("_", " ");
    return wanted.every((word) => known.includes(word));
  });
}

/** Takes a tenth of a second for all of them, so only when the list is opened. The English name is known to many. */
export function describeZones(zones: readonly string[], locale: string): Option[] {
  return zones.map((value) => ({
    value,
    note: `${nameOf(value, "long", locale)} · ${nameOf(value, "shortOffset", "en")}`,
    also: nameOf(value, "long", "en"),
  }));
}

function nameOf(timeZone: string, timeZoneName: "long" | "shortOffset", locale: string): string {
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts();
    return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  } catch {
    return ""; // chosen elsewhere, and newer than this browser
  }
}
