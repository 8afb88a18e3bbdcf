/** What processing a session again will cost at most, before anybody asks for it. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Trouble, Waiting } from "../ui/notice";
import { useLocale } from "../ui/time/dates";
import { costQuery, type Cost } from "./api";
import styles from "./cost.module.css";

export function SessionCost(props: {
  readonly session: string;
  readonly again: readonly ("map" | "summaries")[];
}) {
  const cost = useQuery(costQuery(props.session, props.again));
  return (
    <div className={styles["cost"]} role="status">
      {cost.error ? (
        <Trouble error={cost.error} retry={cost.refetch} />
      ) : cost.data === undefined ? (
        <Waiting />
      ) : (
        <Said cost={cost.data} />
      )}
    </div>
  );
}

function Said({ cost }: { readonly cost: Cost }) {
  const { t } = useTranslation();
  const numbers = new Intl.NumberFormat(useLocale());
  const { payer, model, left } = cost;
  if (payer === null)
    return (
      <p>
        {t("billing.cost.nothing")}
        {cost.limitation === "not-in-plan" && ` ${t("billing.cost.notInPlan")}`}
      </p>
    );
  const tokens = numbers.format(cost.at_most);
  return (
    <>
      <p>{t(payer === "own" ? "billing.cost.own" : "billing.cost.plan", { tokens, model })}</p>
      {left !== null && <p>{t("billing.cost.left", { tokens: numbers.format(left) })}</p>}
      {!cost.is_enough && <p>{t("billing.cost.notEnough")}</p>}
    </>
  );
}
