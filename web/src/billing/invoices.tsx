/** What was paid, with the payment provider's own page for each. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { classes } from "../ui/classes";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import { useDates, useLocale } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { invoicesQuery, type Invoice } from "./api";
import { moneyOf } from "./plans";

export function Invoices() {
  const { t } = useTranslation();
  const found = useInfiniteQuery(invoicesQuery);
  const items = found.data?.pages.flatMap((page) => page.invoices) ?? [];
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="invoices-title">
      <h2 id="invoices-title">{t("billing.invoices.title")}</h2>
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Trouble error={found.error} retry={found.refetch} />
      ) : items.length === 0 ? (
        <p className={layout["empty"]}>{t("billing.invoices.none")}</p>
      ) : (
        <>
          <ul className={list["rows"]}>
            {items.map((invoice) => (
              <InvoiceRow key={invoice.id} invoice={invoice} />
            ))}
          </ul>
          <MoreButton list={found} />
        </>
      )}
    </section>
  );
}

function InvoiceRow({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation();
  const dates = useDates();
  const locale = useLocale();
  const { status, url } = invoice;
  const day = dates.day(invoice.created_at);
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          {day}
          <Badge tone={status === "paid" ? "good" : status === "failed" ? "warn" : "plain"}>
            {t(`billing.invoices.states.${status}`)}
          </Badge>
        </p>
      </div>
      <p className={list["row-note"]}>{moneyOf(invoice.amount_cents, invoice.currency, locale)}</p>
      {url !== null && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={t("billing.invoices.openOf", { day })}
        >
          {t("billing.invoices.open")}
        </a>
      )}
    </li>
  );
}
