/** Come in: with a password, through the identity provider, or both, as the server has it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { oidcStart, signIn, type AuthOptions } from "../account/api";
import { browserGuess } from "../account/browser";
import { authQuery, become, meQuery } from "../account/me";
import { safeNext } from "../account/next";
import { emailWrong, missing } from "../account/password";
import { en } from "../i18n/en";
import { Link, Redirect, useFlash, useLocation } from "../router";
import { EmailField, PasswordField } from "../ui/field";
import { Form } from "../ui/form";
import { Notice, Trouble, Waiting } from "../ui/notice";
import { NarrowScreen } from "../ui/screen";
import { NoOwner } from "./no-owner";

export function SignInPage() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const next = safeNext(search.get("next"));
  const flash = useFlash();
  const { data: me } = useQuery(meQuery);
  const auth = useQuery(authQuery);
  if (me) return <Redirect to={next} />;
  return (
    <NarrowScreen title={t("signIn.title")}>
      {search.get("error") === "oidc" && (
        <Notice tone="bad">{t(`signIn.oidcFailed.${reasonOf(search.get("reason"))}`)}</Notice>
      )}
      {flash !== undefined && <Notice tone="good">{t(`flash.${flash}`)}</Notice>}
      {auth.data && <Ways auth={auth.data} next={next} />}
      {!auth.data && (auth.error ? <Trouble error={auth.error} retry={auth.refetch} /> : <Waiting />)}
    </NarrowScreen>
  );
}

type Reason = keyof typeof en.signIn.oidcFailed;

function reasonOf(told: string | null): Reason {
  return told !== null && Object.hasOwn(en.signIn.oidcFailed, told) ? (told as Reason) : "other";
}

function Ways({ auth, next }: { readonly auth: AuthOptions; readonly next: string }) {
  const { t } = useTranslation();
  if (!auth.has_owner) return <NoOwner />;
  return (
    <>
      <div className="panel stack">
        {auth.password && <PasswordWay />}
        {auth.password && auth.oidc && <p className="or">{t("signIn.or")}</p>}
        {auth.oidc && (
          <a className="button plain wide" href={oidcStart({ next, ...browserGuess() })}>
            {t("signIn.oidc", { name: auth.oidc.name })}
          </a>
        )}
      </div>
      {auth.sign_up && (
        <p className="aside">
          {t("signIn.new")} <Link to="/sign-up">{t("signUp.title")}</Link>
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
      submit={t("signIn.submit")}
      check={({ email, password }) => ({ email: emailWrong(email, t), password: missing(password, t) })}
      send={({ email = "", password = "" }) => signIn({ email: email.trim(), password, ...browserGuess() })}
      done={(me) => {
        become(queries, me);
      }}
      beside={<Link to="/reset">{t("signIn.forgot")}</Link>}
    >
      <EmailField autoFocus />
      <PasswordField />
    </Form>
  );
}
