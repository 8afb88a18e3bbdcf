import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Option } from "../ui/forms/combobox";
import { describeZones, searchZones, zonesWith } from "./time-zones";

/** The described zones are made at the first search and kept for the language they are in. */
export function useZoneSearch(chosen: string): (words: string) => readonly Option[] {
  const { i18n } = useTranslation();
  const made = useRef<{ language: string; zones: readonly Option[] }>(null);
  return (words) => {
    if (made.current?.language !== i18n.language)
      made.current = { language: i18n.language, zones: describeZones(zonesWith(chosen), i18n.language) };
    return searchZones(made.current.zones, words);
  };
}
