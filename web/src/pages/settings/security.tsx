import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askVerify, changeEmail, changePassword } from "../../account/api";
import { useMe, useUpdateMe } from "../../account/me";
import { emailWrong, missing, passwordWrong } from "../../account/password";
import { useAction } from "../../ui/action";
import { Button } from "../../ui/button";
import { EmailField, PasswordField } from "../../ui/field";
import { Form } from "../../ui/form";
import { FailureNotice } from "../../ui/notice";
import { EventList } from "./events";

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
  return (
    <section className="panel stack" aria-labelledby="address-title">
      <h2 id="address-title">{t("security.address")}</h2>
      <p className="fact">
        <strong>{email}</strong>
        <span className="badge" data-tone={verified ? "good" : "warn"}>
          {verified ? t("security.verified") : t("security.unverified")}
        </span>
      </p>
      {!verified && <Verify />}
      <details>
        <summary>{t("security.changeAddress")}</summary>
        <Form
          submit={t("security.changeAddressSubmit")}
          success={asked}
          check={({ email: next, password }) => ({
            email: emailWrong(next, t),
            password: has_password ? missing(password, t) : undefined,
          })}
          send={async ({ email: next = "", password }) => {
            await changeEmail({ email: next.trim(), password: password ?? null });
            return next.trim();
          }}
          done={(next, form) => {
            setAsked(t("security.addressAsked", { email: next }));
            form?.reset();
          }}
        >
          <EmailField
            label={t("security.newAddress")}
            autoComplete="email"
            hint={t("security.newAddressHint")}
          />
          {has_password && <PasswordField label={t("fields.currentPassword")} />}
        </Form>
      </details>
    </section>
  );
}

function Verify() {
  const { t } = useTranslation();
  const ask = useAction(askVerify);
  return (
    <div className="stack">
      <p className="soft">{t("security.verifyText")}</p>
      <FailureNotice failure={ask.failure} />
      <div className="form-end">
        <Button
          isBusy={ask.isBusy}
          onClick={() => {
            ask.run();
          }}
        >
          {t("security.verify")}
        </Button>
        <p className="form-success" role="status">
          {ask.isDone ? t("security.verifySent") : null}
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
    <section className="panel stack" aria-labelledby="password-title">
      <h2 id="password-title">{t("fields.password")}</h2>
      <p className="soft">{has_password ? t("security.passwordText") : t("security.passwordNone")}</p>
      <Form
        submit={has_password ? t("security.changePassword") : t("security.setPassword")}
        success={t("security.passwordChanged")}
        check={({ current, new: next }) => ({
          current: has_password ? missing(current, t) : undefined,
          new: passwordWrong(next, email, t),
        })}
        send={({ current, new: next = "" }) => changePassword({ current: current ?? null, new: next })}
        done={(_, form) => {
          form?.reset();
          updateMe({ has_password: true });
        }}
      >
        {/* For password managers, which want to know whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {has_password && <PasswordField name="current" label={t("fields.currentPassword")} />}
        <PasswordField name="new" label={t("fields.newPassword")} isNew />
      </Form>
    </section>
  );
}
