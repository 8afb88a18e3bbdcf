/** Come in: with a password, through the identity provider, or both, as the server has it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { oidcStart, signIn, type AuthOptions } from "./api";
import { browserGuess } from "./browser-defaults";
import { authQuery, become, meQuery } from "./me";
import { safeNext } from "./next-path";
import { emailError } from "./email-field";
import { requiredError } from "../ui/forms/field";
import { en } from "./en";
import { Link, Redirect, useFlash, useLocation } from "../app/router";
import { EmailField } from "./email-field";
import { PasswordField } from "./password-field";
import { Form } from "../ui/forms/form";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import { NoOwner } from "./no-owner";
import layout from "../ui/styles/layout.module.css";
import styles from "./account.module.css";
import { classes } from "../ui/classes";
import { buttonClass } from "../ui/button";

export default function SignInScreen() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const next = safeNext(search.get("next"));
  const flash = useFlash();
  const { data: me } = useQuery(meQuery);
  const auth = useQuery(authQuery);
  if (me) return <Redirect to={next} replace />;
  return (
    <NarrowScreen title={t("account.signIn.title")}>
      {search.get("error") === "oidc" && (
        <Notice tone="bad">{t(`account.signIn.oidcFailed.${reasonOf(search.get("reason"))}`)}</Notice>
      )}
      {flash !== undefined && <Notice tone="good">{t(`app.flash.${flash}`)}</Notice>}
      {auth.data && <SignInOptions auth={auth.data} next={next} />}
      {!auth.data && (auth.error ? <Trouble error={auth.error} retry={auth.refetch} /> : <Waiting />)}
    </NarrowScreen>
  );
}

type Reason = keyof typeof en.signIn.oidcFailed;

function reasonOf(told: string | null): Reason {
  return told !== null && Object.hasOwn(en.signIn.oidcFailed, told) ? (told as Reason) : "other";
}

function SignInOptions({ auth, next }: { readonly auth: AuthOptions; readonly next: string }) {
  const { t } = useTranslation();
  if (!auth.has_owner) return <NoOwner />;
  return (
    <>
      <div className={classes(layout["panel"], layout["stack"])}>
        {auth.password && <PasswordWay />}
        {auth.password && auth.oidc && <p className={styles["or"]}>{t("account.signIn.or")}</p>}
        {auth.oidc && (
          <a className={buttonClass("plain", "wide")} href={oidcStart({ next, ...browserGuess() })}>
            {t("account.signIn.oidc", { name: auth.oidc.name })}
          </a>
        )}
      </div>
      {auth.sign_up && (
        <p className={styles["aside"]}>
          {t("account.signIn.new")} <Link to="/sign-up">{t("account.signUp.title")}</Link>
        </p>
      )}
    </>
  );
}

function PasswordWay() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <Form
      submit={t("account.signIn.submit")}
      check={({ email, password }) => ({ email: emailError(email, t), password: requiredError(password, t) })}
      send={({ email = "", password = "" }) => signIn({ email: email.trim(), password, ...browserGuess() })}
      done={(me) => {
        become(queries, me);
      }}
      beside={<Link to="/reset">{t("account.signIn.forgot")}</Link>}
    >
      <EmailField autoFocus />
      <PasswordField />
    </Form>
  );
}
