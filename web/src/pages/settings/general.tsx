import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { browserZone } from "../../account/browser";
import { useMe } from "../../account/me";
import { chooseLanguage, isLanguage, LANGUAGES } from "../../i18n";
import { Button } from "../../ui/button";
import { Combobox, type Option } from "../../ui/combobox";
import { datesIn, useLocale } from "../../ui/dates";
import { Select } from "../../ui/field";
import { Form } from "../../ui/form";
import { useChoices } from "./saving";
import { describeZones, searchZones, zonesWith } from "./zones";

export function GeneralSection() {
  const { t } = useTranslation();
  const locale = useLocale();
  const { settings } = useMe();
  const { shown, choose, save } = useChoices();
  const [now] = useState(() => new Date().toISOString());
  const here = browserZone();
  const search = useZoneSearch(settings.timezone);
  return (
    <section className="panel">
      <Form
        submit={t("common.save")}
        success={t("common.saved")}
        send={save}
        done={(saved) => {
          chooseLanguage(saved.language);
        }}
      >
        <Select
          name="language"
          label={t("language.label")}
          value={shown.language}
          hint={t("general.languageHint")}
          onChange={({ currentTarget: { value: language } }) => {
            if (isLanguage(language)) choose({ language });
          }}
        >
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </Select>
        <Combobox
          name="timezone"
          label={t("general.zone")}
          hint={t("general.zoneHint", { time: datesIn(locale, shown.timezone).moment(now) })}
          value={shown.timezone}
          onChange={(timezone) => {
            choose({ timezone });
          }}
          search={search}
        />
        {here !== shown.timezone && (
          <p>
            <Button
              onClick={({ currentTarget }) => {
                choose({ timezone: here });
                // The button goes with what it did.
                const field = currentTarget.form?.elements.namedItem("timezone");
                if (field instanceof HTMLElement) field.focus();
              }}
            >
              {t("general.useBrowserZone", { zone: here })}
            </Button>
          </p>
        )}
      </Form>
    </section>
  );
}

/** The described zones are made at the first search and kept for the language they are in. */
function useZoneSearch(chosen: string): (words: string) => readonly Option[] {
  const { i18n } = useTranslation();
  const made = useRef<{ language: string; zones: readonly Option[] }>(null);
  return (words) => {
    if (made.current?.language !== i18n.language)
      made.current = { language: i18n.language, zones: describeZones(zonesWith(chosen), i18n.language) };
    return searchZones(made.current.zones, words);
  };
}
