import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { Check, Field } from "../../ui/field";
import { Form } from "../../ui/form";
import { useSaveSettings } from "./saving";

/** The nights of most people, for who switches quiet hours on. */
const USUAL = { from: "22:00", until: "07:00" };

export function NotificationsSection() {
  const { t } = useTranslation();
  const { email, settings } = useMe();
  const save = useSaveSettings();
  const [isQuiet, setQuiet] = useState(settings.quiet_hours !== null);
  const hours = settings.quiet_hours ?? USUAL;
  return (
    <section className="panel">
      <Form
        submit={t("common.save")}
        success={t("common.saved")}
        check={({ from, until }) => {
          if (!isQuiet) return {};
          const empty = t("checks.missing");
          return {
            from: from ? undefined : empty,
            until: !until ? empty : until === from ? t("notifications.sameTime") : undefined,
          };
        }}
        send={({ email_notification, from = "", until = "" }) =>
          save({
            email_notification: email_notification !== undefined,
            quiet_hours: isQuiet ? { from, until } : null,
          })
        }
      >
        <Check
          name="email_notification"
          label={t("notifications.mail")}
          hint={t("notifications.mailHint", { email })}
          defaultChecked={settings.email_notification}
        />
        <Check
          label={t("notifications.quiet")}
          hint={t("notifications.quietHint", { zone: settings.timezone })}
          checked={isQuiet}
          onChange={(event) => {
            setQuiet(event.currentTarget.checked);
          }}
        />
        {isQuiet && (
          <fieldset className="pair">
            <legend className="sr-only">{t("notifications.quiet")}</legend>
            <Field
              name="from"
              type="time"
              label={t("notifications.from")}
              defaultValue={hours.from.slice(0, 5)}
            />
            <Field
              name="until"
              type="time"
              label={t("notifications.until")}
              defaultValue={hours.until.slice(0, 5)}
            />
          </fieldset>
        )}
      </Form>
    </section>
  );
}
