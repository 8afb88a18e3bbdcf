/** The first page: what this is, whether it runs, and how to get in. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { authQuery } from "../account/me";
import { Link } from "../app/router";
import { useArrival } from "../app/screen";
import { NoOwner } from "../account/no-owner";
import { Illustration } from "./illustration";
import { ServerStatus } from "../app/server-status";
import styles from "./landing.module.css";
import { buttonClass } from "../ui/button";

export function LandingScreen() {
  const { t } = useTranslation();
  const heading = useArrival("MindHit");
  return (
    <div className={styles["landing"]}>
      <section className={styles["hero"]}>
        <h1 ref={heading} tabIndex={-1}>
          MindHit
        </h1>
        <p className={styles["purpose"]}>{t("landing.purpose")}</p>
        <WaysIn />
      </section>
      <Illustration />
      <ServerStatus />
    </div>
  );
}

function WaysIn() {
  const { t } = useTranslation();
  const { data: auth } = useQuery(authQuery);
  if (auth === undefined) return null;
  if (!auth.has_owner) return <NoOwner />;
  return (
    <div className={styles["buttons"]}>
      <Link className={buttonClass("main")} to="/sign-in">
        {t("account.signIn.title")}
      </Link>
      {auth.sign_up && (
        <Link className={buttonClass("plain")} to="/sign-up">
          {t("account.signUp.title")}
        </Link>
      )}
    </div>
  );
}
