/** One product: what it costs, in which options, and how price and stock have changed. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, useCameFrom, type Params } from "../app/router";
import { buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { Trouble, Waiting } from "../ui/notice";
import { Moment } from "../ui/time/moment";
import layout from "../ui/styles/layout.module.css";
import table from "../ui/styles/table.module.css";
import { historyQuery, productQuery, type Change, type Option, type Product } from "./api";
import { Back, DetailFrame, Fact } from "./frame";
import { HistoryChart } from "./history-chart";
import { HistoryTable } from "./history-table";
import { rangeOf, useMoney } from "./money";
import { domainOf, nameOf, StockBadge } from "./products-screen";
import styles from "./shops.module.css";

export default function ProductScreen({ params }: { readonly params: Params }) {
  const { t } = useTranslation();
  const detail = useQuery(productQuery(params["id"] ?? ""));
  const from = useCameFrom();
  const back = {
    to: from?.startsWith("/shops/products?") ? from : "/shops/products",
    label: t("shops.back.products"),
  };
  if (detail.data)
    return (
      <DetailFrame title={nameOf(detail.data.product)} back={back}>
        <Content product={detail.data.product} options={detail.data.options} />
      </DetailFrame>
    );
  return (
    <div className={styles["screen"]}>
      <Back {...back} />
      {detail.error ? <Trouble error={detail.error} retry={detail.refetch} /> : <Waiting />}
    </div>
  );
}

interface Props {
  readonly product: Product;
  readonly options: readonly Option[];
}

function Content({ product, options }: Props) {
  const { t } = useTranslation();
  const money = useMoney();
  return (
    <>
      <div className={styles["offer-now"]}>
        <strong>{rangeOf(product, money) || t("shops.products.noPrice")}</strong>
        <StockBadge product={product} />
        <a className={buttonClass("plain")} href={product.url} target="_blank" rel="noreferrer noopener">
          {t("shops.product.open", { site: domainOf(product.url) })}
        </a>
      </div>
      <History product={product} options={options} />
      <Options options={options} />
      <dl className={styles["facts"]}>
        {product.brand !== null && <Fact name={t("shops.facts.brand")}>{product.brand}</Fact>}
        {product.sku !== null && <Fact name={t("shops.facts.sku")}>{product.sku}</Fact>}
        {product.gtin !== null && <Fact name={t("shops.facts.gtin")}>{product.gtin}</Fact>}
        <Fact name={t("shops.facts.page")}>
          <Link to={`/shops/schedules/${product.scheduler_id}`}>{t("shops.product.toSchedule")}</Link>
        </Fact>
        <Fact name={t("shops.facts.firstSeen")}>
          <Moment at={product.created_at} />
        </Fact>
        <Fact name={t("shops.facts.checked")}>
          <Moment at={product.updated_at} />
        </Fact>
      </dl>
    </>
  );
}

function History({ product, options }: Props) {
  const { t } = useTranslation();
  const history = useQuery(historyQuery(product.id));
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="history-title">
      <h2 id="history-title">{t("shops.history.title")}</h2>
      {history.error ? (
        <Trouble error={history.error} retry={history.refetch} />
      ) : history.data === undefined ? (
        <Waiting />
      ) : history.data.length === 0 ? (
        <p className={layout["soft"]}>{t("shops.none.history")}</p>
      ) : (
        <Drawn changes={history.data} product={product} options={options} />
      )}
    </section>
  );
}

function Drawn({ changes, product, options }: Props & { readonly changes: readonly Change[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const option = options.find(({ id }) => id === chosen) ?? bestOf(options);
  return (
    <>
      {options.length > 1 && (
        <label className={styles["option-choice"]}>
          {t("shops.history.option")}
          <select
            value={option?.id}
            onChange={({ currentTarget: { value } }) => {
              setChosen(value);
            }}
          >
            {options.map((one) => (
              <option key={one.id} value={one.id}>
                {optionName(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {option && <HistoryChart changes={changes} option={option} options={options} product={product} />}
      <details>
        <summary>{t("shops.history.asTable")}</summary>
        <HistoryTable changes={changes} options={options} />
      </details>
    </>
  );
}

function Options({ options }: { readonly options: readonly Option[] }) {
  const { t } = useTranslation();
  const money = useMoney();
  if (options.length < 2) return null;
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="options-title">
      <h2 id="options-title">{t("shops.product.options")}</h2>
      <div className={table["scroller"]} tabIndex={0} role="group" aria-labelledby="options-title">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("shops.product.option")}</th>
              <th scope="col">{t("shops.product.price")}</th>
              <th scope="col">{t("shops.product.stock")}</th>
              <th scope="col">{t("shops.facts.sku")}</th>
            </tr>
          </thead>
          <tbody>
            {options.map((option) => (
              <tr key={option.id}>
                <th scope="row">
                  <bdi>{optionName(option)}</bdi>
                </th>
                <td className={styles["price"]}>{money(option.price, option.currency)}</td>
                <td>
                  <StockBadge product={option} />
                  {option.quantity !== null && ` ${t("shops.product.left", { count: option.quantity })}`}
                </td>
                <td>{option.sku}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The cheapest that can be bought; where none can, the cheapest. */
function bestOf(options: readonly Option[]): Option | undefined {
  const rank = ({ availability, gone_at, price }: Option) =>
    (gone_at === null ? 0 : 2e12) + (availability === "InStock" ? 0 : 1e12) + Number(price ?? 1e11);
  return options.toSorted((one, other) => rank(one) - rank(other))[0];
}

export function optionName({ name, attributes, option_key }: Option): string {
  return name ?? (Object.values(attributes).join(", ") || option_key);
}
