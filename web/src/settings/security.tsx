import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { askVerify, changeEmail, changePassword } from "../account/api";
import { authQuery, useMe, useUpdateMe } from "../account/me";
import { emailError } from "../account/email-field";
import { requiredError } from "../ui/forms/field";
import { passwordError } from "../account/password-rules";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { EmailField } from "../account/email-field";
import { PasswordField } from "../account/password-field";
import { Form } from "../ui/forms/form";
import { FailureNotice } from "../ui/notice";
import { EventList } from "./security-events";
import layout from "../ui/styles/layout.module.css";
import styles from "./settings.module.css";
import { Badge } from "../ui/badge";
import { classes } from "../ui/classes";

export function SecuritySection() {
  return (
    <>
      <Address />
      <Password />
      <EventList />
    </>
  );
}

function Address() {
  const { t } = useTranslation();
  const { email, verified, has_password } = useMe();
  const [asked, setAsked] = useState("");
  const withoutMail = useWithoutMail();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="address-title">
      <h2 id="address-title">{t("settings.security.address")}</h2>
      <p className={styles["fact"]}>
        <strong>{email}</strong>
        <Badge tone={verified ? "good" : "warn"}>
          {verified ? t("settings.security.verified") : t("settings.security.unverified")}
        </Badge>
      </p>
      {!verified && <Verify />}
      <details>
        <summary>{t("settings.security.changeAddress")}</summary>
        <Form
          submit={t(
            withoutMail === null ? "settings.security.changeAddressSubmit" : "account.resetPassword.request",
          )}
          success={asked}
          check={({ email: next, password }) => ({
            email: emailError(next, t),
            password: has_password ? requiredError(password, t) : undefined,
          })}
          send={async ({ email: next = "", password }) => {
            await changeEmail({ email: next.trim(), password: password ?? null });
            return next.trim();
          }}
          done={(next, form) => {
            setAsked(withoutMail ?? t("settings.security.addressAsked", { email: next }));
            form?.reset();
          }}
        >
          <EmailField
            label={t("settings.security.newAddress")}
            autoComplete="email"
            hint={withoutMail ?? t("settings.security.newAddressHint")}
          />
          {has_password && <PasswordField label={t("account.fields.currentPassword")} />}
        </Form>
      </details>
    </section>
  );
}

/** Where a link is to be found if this server doesn't send email; null if it does. */
function useWithoutMail(): string | null {
  const { t } = useTranslation();
  const { role } = useMe();
  const { data: auth } = useQuery(authQuery);
  if (auth?.mail !== false) return null;
  return role === "owner" ? t("settings.security.noMailOwner") : t("account.noMail");
}

function Verify() {
  const { t } = useTranslation();
  const ask = useAction(askVerify);
  const withoutMail = useWithoutMail();
  return (
    <div className={layout["stack"]}>
      <p className={layout["soft"]}>{withoutMail ?? t("settings.security.verifyText")}</p>
      <FailureNotice failure={ask.failure} />
      <div className={layout["button-row"]}>
        <Button
          isBusy={ask.isBusy}
          onClick={() => {
            ask.run();
          }}
        >
          {t(withoutMail === null ? "settings.security.verify" : "account.resetPassword.request")}
        </Button>
        <p className={layout["success"]} role="status">
          {ask.isDone ? t(withoutMail === null ? "settings.security.verifySent" : "account.asked") : null}
        </p>
      </div>
    </div>
  );
}

function Password() {
  const { t } = useTranslation();
  const { email, has_password } = useMe();
  const updateMe = useUpdateMe();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="password-title">
      <h2 id="password-title">{t("account.fields.password")}</h2>
      <p className={layout["soft"]}>
        {has_password ? t("settings.security.passwordText") : t("settings.security.passwordNone")}
      </p>
      <Form
        submit={has_password ? t("settings.security.changePassword") : t("settings.security.setPassword")}
        success={t("settings.security.passwordChanged")}
        check={({ current, new: next }) => ({
          current: has_password ? requiredError(current, t) : undefined,
          new: passwordError(next, email, t),
        })}
        send={({ current, new: next = "" }) => changePassword({ current: current ?? null, new: next })}
        done={(_, form) => {
          form?.reset();
          updateMe({ has_password: true });
        }}
      >
        {/* For password managers, which want to know whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {has_password && <PasswordField name="current" label={t("account.fields.currentPassword")} />}
        <PasswordField name="new" label={t("account.fields.newPassword")} isNew />
      </Form>
    </section>
  );
}
