/** The first page: what this is, whether it runs, and how to get in. */
import "./start.css";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { authQuery } from "../account/me";
import { Link } from "../router";
import { useArrival } from "../ui/screen";
import { NoOwner } from "./no-owner";
import { Ribbon } from "./ribbon";
import { ServerState } from "./state";

export function StartPage() {
  const { t } = useTranslation();
  const heading = useArrival("MindHit");
  return (
    <div className="start">
      <section className="hero">
        <h1 ref={heading} tabIndex={-1}>
          MindHit
        </h1>
        <p className="purpose">{t("start.purpose")}</p>
        <WaysIn />
      </section>
      <Ribbon />
      <ServerState />
    </div>
  );
}

function WaysIn() {
  const { t } = useTranslation();
  const { data: auth } = useQuery(authQuery);
  if (auth === undefined) return null;
  if (!auth.has_owner) return <NoOwner />;
  return (
    <div className="ways-in">
      <Link className="button main" to="/sign-in">
        {t("signIn.title")}
      </Link>
      {auth.sign_up && (
        <Link className="button plain" to="/sign-up">
          {t("signUp.title")}
        </Link>
      )}
    </div>
  );
}
