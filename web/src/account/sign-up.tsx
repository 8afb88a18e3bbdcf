/** An account of one's own, where the server is open for it. The answer is the same for every address; a mail tells the rest. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { signUp } from "./api";
import { browserGuess } from "./browser-defaults";
import { authQuery } from "./me";
import { emailError } from "./email-field";
import { Link } from "../app/router";
import { EmailField } from "./email-field";
import { Form } from "../ui/forms/form";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import styles from "./account.module.css";
import layout from "../ui/styles/layout.module.css";

export default function SignUpScreen() {
  const { t } = useTranslation();
  const auth = useQuery(authQuery);
  return (
    <NarrowScreen
      title={t("account.signUp.title")}
      lead={
        auth.data?.sign_up
          ? t(auth.data.mail ? "account.signUp.lead" : "account.signUp.noMailLead")
          : undefined
      }
    >
      {auth.data?.sign_up === true && <SignUp hasMail={auth.data.mail} />}
      {auth.data?.sign_up === false && <Notice>{t("problems.types.sign-up-closed")}</Notice>}
      {!auth.data && (auth.error ? <Trouble error={auth.error} retry={auth.refetch} /> : <Waiting />)}
      <p className={styles["aside"]}>
        {t("account.signUp.have")} <Link to="/sign-in">{t("account.signIn.title")}</Link>
      </p>
    </NarrowScreen>
  );
}

function SignUp({ hasMail }: { readonly hasMail: boolean }) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <Notice tone={hasMail ? "good" : "note"}>
        <h2>{t(hasMail ? "account.signUp.sent" : "account.asked")}</h2>
        <p>{hasMail ? t("account.signUp.sentText", { email: sentTo }) : t("account.noMail")}</p>
      </Notice>
    );
  return (
    <div className={layout["panel"]}>
      <Form
        submit={t("account.signUp.submit")}
        check={({ email }) => ({ email: emailError(email, t) })}
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
