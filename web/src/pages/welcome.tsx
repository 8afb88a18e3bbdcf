/** The server's first person: whoever can read the link in its log becomes the owner. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { becomeOwner } from "../account/api";
import { browserGuess } from "../account/browser";
import { authQuery, become } from "../account/me";
import { emailWrong, passwordWrong } from "../account/password";
import { useToken } from "../account/token";
import { Link, navigate } from "../router";
import { EmailField, PasswordField } from "../ui/field";
import { Form } from "../ui/form";
import { Notice } from "../ui/notice";
import { NarrowScreen } from "../ui/screen";

export function WelcomePage() {
  const { t } = useTranslation();
  const token = useToken();
  const { data: auth } = useQuery(authQuery);
  return (
    <NarrowScreen title={t("welcome.title")} lead={t("welcome.lead")}>
      {auth?.has_owner ? (
        <Taken />
      ) : token === "" ? (
        <Notice>{t("welcome.noToken")}</Notice>
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
      <p>{t("problems.owner-exists")}</p>
      <p>
        <Link to="/sign-in">{t("signIn.title")}</Link>
      </p>
    </Notice>
  );
}

function Owner({ token }: { readonly token: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <div className="panel">
      <Form
        submit={t("welcome.submit")}
        check={({ email, password }) => ({
          email: emailWrong(email, t),
          password: passwordWrong(password, email, t),
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
        <EmailField autoFocus hint={t("welcome.emailHint")} />
        <PasswordField isNew />
      </Form>
    </div>
  );
}
