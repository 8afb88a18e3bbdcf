/** An account of one's own, where the server is open for it. The answer is the same for every address; a mail tells the rest. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { signUp } from "../account/api";
import { browserGuess } from "../account/browser";
import { authQuery } from "../account/me";
import { emailWrong } from "../account/password";
import { Link } from "../router";
import { EmailField } from "../ui/field";
import { Form } from "../ui/form";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen } from "../ui/screen";

export function SignUpPage() {
  const { t } = useTranslation();
  const auth = useQuery(authQuery);
  return (
    <NarrowScreen title={t("signUp.title")} lead={t("signUp.lead")}>
      {auth.data?.sign_up === true && <SignUp hasMail={auth.data.mail} />}
      {auth.data?.sign_up === false && <Notice>{t("problems.sign-up-closed")}</Notice>}
      {!auth.data && (auth.error ? <Trouble error={auth.error} retry={auth.refetch} /> : <Waiting />)}
      <p className="aside">
        {t("signUp.have")} <Link to="/sign-in">{t("signIn.title")}</Link>
      </p>
    </NarrowScreen>
  );
}

function SignUp({ hasMail }: { readonly hasMail: boolean }) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <Notice tone="good">
        <h2>{t("signUp.sent")}</h2>
        <p>{hasMail ? t("signUp.sentText", { email: sentTo }) : t("mail.none")}</p>
      </Notice>
    );
  return (
    <div className="panel">
      <Form
        submit={t("signUp.submit")}
        check={({ email }) => ({ email: emailWrong(email, t) })}
        send={async ({ email = "" }) => {
          await signUp({ email: email.trim(), ...browserGuess() });
          return email.trim();
        }}
        done={setSentTo}
      >
        <EmailField autoFocus />
      </Form>
    </div>
  );
}
