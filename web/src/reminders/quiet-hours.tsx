/** When nothing rings, and whether what waited comes as one message. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { changeSettings, type Settings } from "../account/api";
import { useMe, useUpdateMe } from "../account/me";
import { classes } from "../ui/classes";
import { Check, Field, Select } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import layout from "../ui/styles/layout.module.css";
import { wantDigest, wantsQuery } from "./api";
import styles from "./reminders.module.css";

const MODES = ["default", "own", "off"] as const satisfies readonly Settings["quiet_mode"][];
const SUGGESTED = { from: "22:00", until: "07:00" };

export function QuietHours() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const updateMe = useUpdateMe();
  const queries = useQueryClient();
  const { data: wants } = useQuery(wantsQuery);
  const [mode, setMode] = useState(settings.quiet_mode);
  const hours = settings.quiet_hours ?? SUGGESTED;
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="quiet-title">
      <h2 id="quiet-title">{t("reminders.quiet.title")}</h2>
      <p className={layout["soft"]}>{t("reminders.quiet.text")}</p>
      <Form
        submit={t("ui.save")}
        success={t("ui.saved")}
        send={async ({ from = "", until = "", digest }) => {
          const saved = await changeSettings(changeOf(mode, from, until));
          return { saved, wanted: await wantDigest(digest === "on") };
        }}
        done={({ saved, wanted }) => {
          updateMe({ settings: saved });
          queries.setQueryData(wantsQuery.queryKey, wanted);
        }}
      >
        <Select
          name="quiet_hours"
          label={t("reminders.quiet.mode")}
          value={mode}
          onChange={({ currentTarget: { value } }) => {
            setMode(MODES.find((one) => one === value) ?? "default");
          }}
        >
          {MODES.map((one) => (
            <option key={one} value={one}>
              {t(`reminders.quiet.modes.${one}`)}
            </option>
          ))}
        </Select>
        {mode === "own" && (
          <div className={styles["hours"]}>
            <Field
              name="from"
              type="time"
              label={t("reminders.quiet.from")}
              defaultValue={hours.from}
              required
            />
            <Field
              name="until"
              type="time"
              label={t("reminders.quiet.until")}
              defaultValue={hours.until}
              required
            />
          </div>
        )}
        {wants && (
          <Check
            name="digest"
            label={t("reminders.quiet.digest")}
            hint={t("reminders.quiet.digestHint")}
            defaultChecked={wants.digest}
          />
        )}
      </Form>
    </section>
  );
}

function changeOf(mode: Settings["quiet_mode"], from: string, until: string): Partial<Settings> {
  if (mode === "default") return { quiet_mode: "default" };
  return { quiet_hours: mode === "off" ? null : { from, until } };
}
