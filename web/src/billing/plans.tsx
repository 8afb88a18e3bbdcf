/** The person's plan and the others. Paying, changing and cancelling happen at the payment provider. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Notice, Trouble, Waiting } from "../ui/notice";
import { useDates, useLocale } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import { checkOut, openPortal, plansQuery, type BillingState, type Plan } from "./api";
import { en } from "./en";
import { useNumbers } from "./usage-panel";
import styles from "./billing.module.css";

type Feature = keyof typeof en.features;

export function Plans({ state }: { readonly state: BillingState }) {
  const { t } = useTranslation();
  const plans = useQuery(plansQuery);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="plan-title">
      <h2 id="plan-title">{t("billing.plan.title")}</h2>
      <Subscription state={state} />
      {plans.error ? (
        <Trouble error={plans.error} retry={plans.refetch} />
      ) : plans.data === undefined ? (
        <Waiting />
      ) : (
        <>
          {!plans.data.plans.some(({ id }) => id === state.plan) && (
            <p>{t("billing.plan.notOffered", { name: state.plan_name ?? state.plan })}</p>
          )}
          <ul className={styles["plans"]}>
            {plans.data.plans.map((plan) => (
              <PlanCard key={plan.id} plan={plan} currency={plans.data.currency} state={state} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What is paid for, until when, and the way to change it. */
function Subscription({ state }: { readonly state: BillingState }) {
  const { t } = useTranslation();
  const dates = useDates();
  const portal = useAction(openPortal, { done: leaveFor });
  if (state.status === null) return null;
  if (state.is_granted) return <p>{t("billing.plan.granted")}</p>;
  const end = dates.day(state.period.end);
  return (
    <>
      {state.status === "past_due" && <Notice tone="bad">{t("billing.plan.pastDue")}</Notice>}
      {state.cancel_at_period_end ? (
        <p>{t("billing.plan.ends", { time: end })}</p>
      ) : (
        state.status !== "past_due" && <p>{t("billing.plan.renews", { time: end })}</p>
      )}
      <div className={layout["button-row"]}>
        <Button
          isBusy={portal.isBusy}
          onClick={() => {
            portal.run();
          }}
        >
          {t(state.cancel_at_period_end ? "billing.plan.keep" : "billing.plan.manage")}
        </Button>
      </div>
      <FailureNotice failure={portal.failure} />
    </>
  );
}

function PlanCard(props: { readonly plan: Plan; readonly currency: string; readonly state: BillingState }) {
  const { plan, currency, state } = props;
  const { t } = useTranslation();
  const buy = useAction(() => checkOut(plan.id), { done: leaveFor });
  const isMine = plan.id === state.plan;
  const canBuy = !isMine && state.status === null && plan.is_for_sale;
  return (
    <li className={styles["plan"]} data-mine={isMine}>
      <h3>
        <bdi>{plan.name}</bdi>
        {isMine && <Badge tone="good">{t("billing.plan.yours")}</Badge>}
      </h3>
      <Price plan={plan} currency={currency} />
      <Allows plan={plan} />
      {canBuy && (
        <Button
          look="main"
          isBusy={buy.isBusy}
          onClick={() => {
            buy.run();
          }}
        >
          {t("billing.plan.upgrade", { name: plan.name })}
        </Button>
      )}
      <FailureNotice failure={buy.failure} />
    </li>
  );
}

function Price({ plan, currency }: { readonly plan: Plan; readonly currency: string }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { price_cents: cents, billing_period: period } = plan;
  if (cents === null) return <p className={styles["price"]}>{t("billing.plan.onRequest")}</p>;
  if (cents === 0) return <p className={styles["price"]}>{t("billing.plan.free")}</p>;
  return (
    <p className={styles["price"]}>
      {t(`billing.plan.${period}`, { price: moneyOf(cents, currency, locale) })}
    </p>
  );
}

function Allows({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation();
  const numbers = useNumbers();
  const { token_limit: tokens, session_retention_days: days, max_concurrent_sessions: sessions } = plan;
  const features = plan.features.filter((feature): feature is Feature => Object.hasOwn(en.features, feature));
  return (
    <ul className={styles["allows"]}>
      <li>
        {tokens === null
          ? t("billing.plan.anyTokens")
          : t("billing.plan.tokens", { count: tokens, tokens: numbers(tokens) })}
      </li>
      <li>{days === null ? t("billing.plan.keptForever") : t("billing.plan.kept", { count: days })}</li>
      <li>
        {sessions === null ? t("billing.plan.anySessions") : t("billing.plan.sessions", { count: sessions })}
      </li>
      {features.map((feature) => (
        <li key={feature}>{t(`billing.features.${feature}`)}</li>
      ))}
    </ul>
  );
}

/** In the smallest unit of the currency, as the payment provider says it; won have none smaller. */
export function moneyOf(cents: number, currency: string, locale: string): string {
  const formatter = new Intl.NumberFormat(locale, { style: "currency", currency: currency.toUpperCase() });
  const digits = formatter.resolvedOptions().maximumFractionDigits ?? 2;
  return formatter.format(cents / 10 ** digits);
}

function leaveFor({ url }: { readonly url: string }): void {
  location.assign(url);
}
