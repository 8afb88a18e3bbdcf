/** A forgotten password: ask for a link, and choose a new one with it. The same link lets someone choose their first. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { askReset, choosePassword } from "./api";
import { authQuery, become } from "./me";
import { emailError } from "./email-field";
import { passwordError } from "./password-rules";
import { useToken } from "./link-token";
import { Link, navigate } from "../app/router";
import { EmailField } from "./email-field";
import { PasswordField } from "./password-field";
import { Form } from "../ui/forms/form";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import styles from "./account.module.css";
import layout from "../ui/styles/layout.module.css";

export default function ResetPasswordScreen() {
  const { t } = useTranslation();
  const token = useToken();
  return token === "" ? (
    <Forgotten />
  ) : (
    <NarrowScreen
      key={token}
      title={t("account.resetPassword.choose")}
      lead={t("account.resetPassword.chooseLead")}
    >
      <Choose token={token} />
      <p className={styles["aside"]}>
        {/* Loaded again: the address is the same, only the token has to go. */}
        <a href="/reset">{t("account.resetPassword.again")}</a>
      </p>
    </NarrowScreen>
  );
}

function Forgotten() {
  const { t } = useTranslation();
  const { data: auth, error, refetch } = useQuery(authQuery);
  return (
    <NarrowScreen
      title={t("account.resetPassword.title")}
      lead={auth && t(auth.mail ? "account.resetPassword.lead" : "account.resetPassword.noMailLead")}
    >
      {auth && <Ask hasMail={auth.mail} />}
      {auth?.mail === false && <OwnerWay />}
      {!auth && (error ? <Trouble error={error} retry={refetch} /> : <Waiting />)}
      <p className={styles["aside"]}>
        <Link to="/sign-in">{t("account.resetPassword.back")}</Link>
      </p>
    </NarrowScreen>
  );
}

/** Without a mail server, who runs the server makes the link. */
function OwnerWay() {
  const { t } = useTranslation();
  return (
    <Notice>
      <h2>{t("account.resetPassword.ownerTitle")}</h2>
      <p>{t("account.resetPassword.ownerText")}</p>
      <p>
        <code>mindhit user link EMAIL</code>
      </p>
    </Notice>
  );
}

function Ask({ hasMail }: { readonly hasMail: boolean }) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <Notice tone={hasMail ? "good" : "note"}>
        <h2>{t(hasMail ? "account.resetPassword.sent" : "account.asked")}</h2>
        <p>{hasMail ? t("account.resetPassword.sentText", { email: sentTo }) : t("account.noMail")}</p>
      </Notice>
    );
  return (
    <div className={layout["panel"]}>
      <Form
        submit={t(hasMail ? "account.resetPassword.submit" : "account.resetPassword.request")}
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
