/** The fields of a watched page, with its next runs as they would be. */
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useMe } from "../account/me";
import { useZoneSearch } from "../settings/use-zone-search";
import { Combobox } from "../ui/forms/combobox";
import { Field, requiredError, Select } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { useLocale } from "../ui/time/dates";
import forms from "../ui/forms/form.module.css";
import { ScheduleAlerts } from "./alert-fields";
import type { Alerts, Schedule } from "./api";
import { Preview } from "./preview";
import { cronOf, KINDS, timesOf, USUAL, weekdayName, type Times } from "./schedule-times";

export interface Filled {
  readonly url: string;
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  /** As in the person's settings: null. */
  readonly alerts: Alerts | null;
}

interface Props {
  /** One that is changed; its address stays. */
  readonly known?: Schedule;
  readonly address?: string;
  readonly name?: string;
  readonly submit: string;
  readonly success?: string;
  readonly send: (filled: Filled) => Promise<Schedule>;
  readonly done: (schedule: Schedule) => void;
}

export function ScheduleForm({ known, address = "", name = "", submit, success, send, done }: Props) {
  const { t } = useTranslation();
  const { settings } = useMe();
  const [url, setUrl] = useState(address);
  const [times, setTimes] = useState(known ? timesOf(known.cron) : USUAL);
  const [timezone, setTimezone] = useState(known?.timezone ?? settings.timezone);
  const [alerts, setAlerts] = useState(known?.alerts ?? null);
  const search = useZoneSearch(timezone);
  const cron = cronOf(times);
  return (
    <Form
      submit={submit}
      {...(success === undefined ? {} : { success })}
      check={(values) => ({
        ...(known ? {} : { url: requiredError(url, t) }),
        ...(times.kind === "custom" ? { cron: requiredError(values["cron"], t) } : {}),
      })}
      send={(values) => send({ url: url.trim(), name: values["name"]?.trim() ?? "", cron, timezone, alerts })}
      done={done}
    >
      {!known && (
        <Field
          name="url"
          label={t("shops.form.url")}
          hint={t("shops.form.urlHint")}
          placeholder="https://shop.example/category/lamps"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={({ currentTarget: { value } }) => {
            setUrl(value);
          }}
        />
      )}
      <Field
        name="name"
        label={t("shops.form.name")}
        defaultValue={known?.name ?? name}
        placeholder={t("shops.form.nameHint")}
        maxLength={200}
        autoComplete="off"
      />
      <TimesFields times={times} change={setTimes} />
      <Combobox
        name="timezone"
        label={t("shops.form.zone")}
        value={timezone}
        onChange={setTimezone}
        search={search}
      />
      <Preview cron={cron} timezone={timezone} url={known ? "" : url.trim()} />
      <ScheduleAlerts alerts={alerts} change={setAlerts} />
    </Form>
  );
}

function TimesFields({ times, change }: { readonly times: Times; readonly change: (times: Times) => void }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { kind, at, weekday } = times;
  const isAtTime = kind === "daily" || kind === "weekdays" || kind === "weekly";
  return (
    <div className={forms["pair"]}>
      <Select
        name="often"
        label={t("shops.form.often")}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          change({ ...times, kind: KINDS.find((one) => one === value) ?? "daily", cron: cronOf(times) });
        }}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`shops.times.kinds.${one}`)}
          </option>
        ))}
      </Select>
      {kind === "weekly" && (
        <Select
          name="weekday"
          label={t("shops.form.weekday")}
          value={weekday}
          onChange={({ currentTarget: { value } }) => {
            change({ ...times, weekday: Number(value) });
          }}
        >
          {[1, 2, 3, 4, 5, 6, 7].map((day) => (
            <option key={day} value={day}>
              {weekdayName(day, locale)}
            </option>
          ))}
        </Select>
      )}
      {isAtTime && (
        <Field
          name="at"
          type="time"
          required
          label={t("shops.form.at")}
          value={at}
          onChange={({ currentTarget: { value } }) => {
            if (value !== "") change({ ...times, at: value });
          }}
        />
      )}
      {kind === "custom" && (
        <Field
          name="cron"
          label={t("shops.form.cron")}
          hint={t("shops.form.cronHint")}
          autoComplete="off"
          spellCheck={false}
          value={times.cron}
          onChange={({ currentTarget: { value } }) => {
            change({ ...times, cron: value });
          }}
        />
      )}
    </div>
  );
}
