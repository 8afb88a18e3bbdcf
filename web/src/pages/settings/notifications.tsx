import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { Check, Field } from "../../ui/field";
import { Form } from "../../ui/form";
import { useChoices } from "./saving";

/** The nights of most people, for who switches quiet hours on. */
const USUAL = { from: "22:00", until: "07:00" };

export function NotificationsSection() {
  const { t } = useTranslation();
  const { email, settings } = useMe();
  const { shown, choose, save } = useChoices();
  const hours = shown.quiet_hours;
  return (
    <section className="panel">
      <Form
        submit={t("common.save")}
        success={t("common.saved")}
        check={({ from, until }) => {
          if (!hours) return {};
          const empty = t("checks.missing");
          return {
            from: from ? undefined : empty,
            until: !until ? empty : until === from ? t("notifications.sameTime") : undefined,
          };
        }}
        send={save}
      >
        <Check
          name="email_notification"
          label={t("notifications.mail")}
          hint={t("notifications.mailHint", { email })}
          checked={shown.email_notification}
          onChange={(event) => {
            choose({ email_notification: event.currentTarget.checked });
          }}
        />
        <Check
          label={t("notifications.quiet")}
          hint={t("notifications.quietHint", { zone: settings.timezone })}
          checked={hours !== null}
          onChange={(event) => {
            choose({ quiet_hours: event.currentTarget.checked ? (settings.quiet_hours ?? USUAL) : null });
          }}
        />
        {hours && (
          <fieldset className="pair">
            <legend className="sr-only">{t("notifications.quiet")}</legend>
            <Field
              name="from"
              type="time"
              label={t("notifications.from")}
              value={hours.from}
              onChange={(event) => {
                choose({ quiet_hours: { ...hours, from: event.currentTarget.value } });
              }}
            />
            <Field
              name="until"
              type="time"
              label={t("notifications.until")}
              value={hours.until}
              onChange={(event) => {
                choose({ quiet_hours: { ...hours, until: event.currentTarget.value } });
              }}
            />
          </fieldset>
        )}
      </Form>
    </section>
  );
}
