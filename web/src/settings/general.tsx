import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { browserZone } from "../account/browser-defaults";
import { useMe } from "../account/me";
import { chooseLanguage, isLanguage, LANGUAGES } from "../i18n/languages";
import { Button } from "../ui/button";
import { Combobox } from "../ui/forms/combobox";
import { datesIn, useLocale } from "../ui/time/dates";
import { Check, Select } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { useChoices } from "./use-settings";
import { useZoneSearch } from "./use-zone-search";
import layout from "../ui/styles/layout.module.css";

export function GeneralSection() {
  const { t } = useTranslation();
  const locale = useLocale();
  const { settings } = useMe();
  const { shown, choose, save } = useChoices();
  const [now] = useState(() => new Date().toISOString());
  const here = browserZone();
  const search = useZoneSearch(settings.timezone);
  return (
    <section className={layout["panel"]}>
      <Form
        submit={t("ui.save")}
        success={t("ui.saved")}
        send={save}
        done={(saved) => {
          chooseLanguage(saved.language);
        }}
      >
        <Select
          name="language"
          label={t("app.language")}
          value={shown.language}
          hint={t("settings.general.languageHint")}
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
          label={t("settings.general.zone")}
          hint={t("settings.general.zoneHint", { time: datesIn(locale, shown.timezone).moment(now) })}
          value={shown.timezone}
          onChange={(timezone) => {
            choose({ timezone });
          }}
          search={search}
        />
        <Check
          name="email_notification"
          label={t("settings.general.report")}
          hint={t("settings.general.reportHint")}
          checked={shown.email_notification}
          onChange={({ currentTarget: { checked } }) => {
            choose({ email_notification: checked });
          }}
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
              {t("settings.general.useBrowserZone", { zone: here })}
            </Button>
          </p>
        )}
      </Form>
    </section>
  );
}
