/** A forgotten password: ask for a link, and choose a new one with it. The same link lets someone choose their first. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askReset, choosePassword } from "./api";
import { authQuery, become } from "./me";
import { emailError } from "./email-field";
import { passwordError } from "./password-rules";
import { useToken } from "./link-token";
import { Link, navigate } from "../app/router";
import { EmailField } from "./email-field";
import { PasswordField } from "./password-field";
import { Form } from "../ui/forms/form";
import { Notice } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import styles from "./account.module.css";
import layout from "../ui/styles/layout.module.css";

export function ResetPasswordScreen() {
  const { t } = useTranslation();
  const token = useToken();
  return token === "" ? (
    <NarrowScreen title={t("account.resetPassword.title")} lead={t("account.resetPassword.lead")}>
      <Ask />
      <p className={styles["aside"]}>
        <Link to="/sign-in">{t("account.resetPassword.back")}</Link>
      </p>
    </NarrowScreen>
  ) : (
    <NarrowScreen
      key={token}
      title={t("account.resetPassword.choose")}
      lead={t("account.resetPassword.chooseLead")}
    >
      <Choose token={token} />
      <p className={styles["aside"]}>
        <Link to="/reset">{t("account.resetPassword.again")}</Link>
      </p>
    </NarrowScreen>
  );
}

function Ask() {
  const { t } = useTranslation();
  const { data: auth } = useQuery(authQuery);
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <Notice tone="good">
        <h2>{t("account.resetPassword.sent")}</h2>
        <p>
          {auth?.mail === false
            ? t("account.noMail")
            : t("account.resetPassword.sentText", { email: sentTo })}
        </p>
      </Notice>
    );
  return (
    <div className={layout["panel"]}>
      <Form
        submit={t("account.resetPassword.submit")}
        check={({ email }) => ({ email: emailError(email, t) })}
        send={async ({ email = "" }) => {
          await askReset(email.trim());
          return email.trim();
        }}
        done={setSentTo}
      >
        <EmailField autoFocus />
      </Form>
    </div>
  );
}

function Choose({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <div className={layout["panel"]}>
      <Form
        submit={t("account.resetPassword.chooseSubmit")}
        check={({ password }) => ({ password: passwordError(password, undefined, t) })}
        send={({ password = "" }) => choosePassword({ token, password })}
        done={() => {
          become(queries, null);
          navigate("/sign-in", { replace: true, flash: "passwordChosen" });
        }}
      >
        <PasswordField isNew label={t("account.fields.newPassword")} />
      </Form>
    </div>
  );
}
