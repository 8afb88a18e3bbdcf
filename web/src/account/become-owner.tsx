/** The server's first person: whoever can read the link in its log becomes the owner. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { becomeOwner } from "./api";
import { browserGuess } from "./browser-defaults";
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
import layout from "../ui/styles/layout.module.css";

export function BecomeOwnerScreen() {
  const { t } = useTranslation();
  const token = useToken();
  const { data: auth } = useQuery(authQuery);
  return (
    <NarrowScreen title={t("account.becomeOwner.title")} lead={t("account.becomeOwner.lead")}>
      {auth?.has_owner ? (
        <Taken />
      ) : token === "" ? (
        <Notice>{t("account.becomeOwner.noToken")}</Notice>
      ) : (
        <Owner token={token} />
      )}
    </NarrowScreen>
  );
}

function Taken() {
  const { t } = useTranslation();
  return (
    <Notice>
      <p>{t("problems.types.owner-exists")}</p>
      <p>
        <Link to="/sign-in">{t("account.signIn.title")}</Link>
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
