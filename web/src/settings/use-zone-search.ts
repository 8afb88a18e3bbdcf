import { useRef } from "react";
import { useTranslation } from "../i18n/translation";
import type { Option } from "../ui/forms/combobox";
import { describeZones, searchZones, zonesWith } from "./time-zones";

/** The described zones are made at the first search and kept for the language they are in. */
export function useZoneSearch(chosen: string): (words: string) => readonly Option[] {
  const { language } = useTranslation();
  const made = useRef<{ language: string; zones: readonly Option[] }>(null);
  return (words) => {
    if (made.current?.language !== language)
      made.current = { language, zones: describeZones(zonesWith(chosen), language) };
    return searchZones(made.current.zones, words);
  };
}
