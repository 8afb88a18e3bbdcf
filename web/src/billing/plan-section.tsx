/** Plan and usage: what models have used in this period, what the plan allows, invoices. Without billing, usage alone. */
import { useTranslation } from "../i18n/translation";
import { Trouble, Waiting } from "../ui/notice";
import { Payment, useBilling } from "./confirming";
import { Invoices } from "./invoices";
import { Plans } from "./plans";
import { UsagePanel } from "./usage-panel";

export function PlanSection() {
  const { data, error, refetch, payment } = useBilling();
  const { t } = useTranslation();
  if (error) return <Trouble error={error} retry={refetch} />;
  if (!data) return <Waiting />;
  return (
    <>
      {payment !== null && data.is_on && <Payment state={payment} />}
      <UsagePanel state={data} />
      {data.is_on ? (
        <>
          <Plans state={data} />
          <Invoices />
        </>
      ) : (
        <p>{t("billing.off")}</p>
      )}
    </>
  );
}
