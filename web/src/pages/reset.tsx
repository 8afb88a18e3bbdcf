/** A forgotten password: ask for a link, and choose a new one with it. The same link lets someone choose their first. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askReset, choosePassword } from "../account/api";
import { authQuery, become } from "../account/me";
import { emailWrong, passwordWrong } from "../account/password";
import { useToken } from "../account/token";
import { Link, navigate } from "../router";
import { EmailField, PasswordField } from "../ui/field";
import { Form } from "../ui/form";
import { Notice } from "../ui/notice";
import { NarrowScreen } from "../ui/screen";

export function ResetPage() {
  const { t } = useTranslation();
  const token = useToken();
  return token === "" ? (
    <NarrowScreen title={t("reset.title")} lead={t("reset.lead")}>
      <Ask />
      <p className="aside">
        <Link to="/sign-in">{t("reset.back")}</Link>
      </p>
    </NarrowScreen>
  ) : (
    <NarrowScreen key={token} title={t("reset.choose")} lead={t("reset.chooseLead")}>
      <Choose token={token} />
      <p className="aside">
        <Link to="/reset">{t("reset.again")}</Link>
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
        <h2>{t("reset.sent")}</h2>
        <p>{auth?.mail === false ? t("mail.none") : t("reset.sentText", { email: sentTo })}</p>
      </Notice>
    );
  return (
    <div className="panel">
      <Form
        submit={t("reset.submit")}
        check={({ email }) => ({ email: emailWrong(email, t) })}
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
    <div className="panel">
      <Form
        submit={t("reset.chooseSubmit")}
        check={({ password }) => ({ password: passwordWrong(password, undefined, t) })}
        send={({ password = "" }) => choosePassword({ token, password })}
        done={() => {
          become(queries, null);
          navigate("/sign-in", { replace: true, flash: "passwordChosen" });
        }}
      >
        <PasswordField isNew label={t("fields.newPassword")} />
      </Form>
    </div>
  );
}
