/** The server's first person: whoever can read the link in its log becomes the owner. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { becomeOwner } from "./api";
import { browserGuess } from "./browser-defaults";
import { authQuery, become, meQuery } from "./me";
import { emailError } from "./email-field";
import { passwordError } from "./password-rules";
import { useToken } from "./link-token";
import { Link, navigate } from "../app/router";
import { EmailField } from "./email-field";
import { PasswordField } from "./password-field";
import { Form } from "../ui/forms/form";
import { buttonClass } from "../ui/button";
import { Notice } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import layout from "../ui/styles/layout.module.css";

export default function BecomeOwnerScreen() {
  const { t } = useTranslation();
  const token = useToken();
  const { data: auth } = useQuery(authQuery);
  const lead = auth?.has_owner ? undefined : t("account.becomeOwner.lead");
  return (
    <NarrowScreen title={t("account.becomeOwner.title")} lead={lead}>
      {auth?.has_owner ? (
        <Used />
      ) : token === "" ? (
        <Notice>{t("account.becomeOwner.noToken")}</Notice>
      ) : (
        <Owner token={token} />
      )}
    </NarrowScreen>
  );
}

function Used() {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  return (
    <Notice>
      <p>{t("account.becomeOwner.used")}</p>
      <p>
        {me ? (
          <Link to="/">{t("setup.skip")}</Link>
        ) : (
          <Link className={buttonClass("main")} to="/sign-in">
            {t("account.signIn.title")}
          </Link>
        )}
      </p>
    </Notice>
  );
}

function Owner({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <div className={layout["panel"]}>
      <Form
        submit={t("account.becomeOwner.submit")}
        check={({ email, password }) => ({
          email: emailError(email, t),
          password: passwordError(password, email, t),
        })}
        send={({ email = "", password = "" }) =>
          becomeOwner({ token, email: email.trim(), password, ...browserGuess() })
        }
        done={(me) => {
          become(queries, me);
          navigate("/", { replace: true, flash: "welcome" });
          void queries.invalidateQueries({ queryKey: authQuery.queryKey });
        }}
      >
        <EmailField autoFocus hint={t("account.becomeOwner.emailHint")} />
        <PasswordField isNew />
      </Form>
    </div>
  );
}
