/** Every change of a price or of stock in words, the newest first. */
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { Moment } from "../ui/time/moment";
import table from "../ui/styles/table.module.css";
import type { Change, Option } from "./api";
import { useMoney } from "./money";
import { optionName } from "./product-screen";
import styles from "./shops.module.css";

const FIRST = 100;

interface Props {
  readonly changes: readonly Change[];
  readonly options: readonly Option[];
}

export function HistoryTable({ changes, options }: Props) {
  const { t } = useTranslation();
  const money = useMoney();
  const [shown, setShown] = useState(FIRST);
  const names = new Map(options.map((option) => [option.id, optionName(option)]));
  return (
    <>
      <div className={table["scroller"]} tabIndex={0} role="region" aria-label={t("shops.history.asTable")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("shops.history.when")}</th>
              {options.length > 1 && <th scope="col">{t("shops.product.option")}</th>}
              <th scope="col">{t("shops.product.price")}</th>
              <th scope="col">{t("shops.product.stock")}</th>
            </tr>
          </thead>
          <tbody>
            {changes
              .toReversed()
              .slice(0, shown)
              .map((change) => (
                <tr key={`${change.option_id} ${change.at}`}>
                  <th scope="row">
                    <Moment at={change.at} />
                  </th>
                  {options.length > 1 && (
                    <td>
                      <bdi>{names.get(change.option_id)}</bdi>
                    </td>
                  )}
                  <td className={styles["price"]}>{money(change.price, change.currency)}</td>
                  <td>
                    <Availability change={change} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {changes.length > shown && (
        <Button
          onClick={() => {
            setShown(shown + FIRST);
          }}
        >
          {t("ui.showMore")}
        </Button>
      )}
    </>
  );
}

function Availability({ change }: { readonly change: Change }) {
  const { t } = useTranslation();
  const { availability, quantity } = change;
  const words = [
    availability !== null && t(availability === "InStock" ? "shops.stock.in" : "shops.stock.out"),
    quantity !== null && t("shops.product.left", { count: quantity }),
  ];
  return words.filter(Boolean).join(", ");
}
