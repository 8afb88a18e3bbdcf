/** Everything the watched pages sell: found by its words, by page and by stock. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, useLocation } from "../app/router";
import { useSettled } from "../search/use-settled";
import { Badge } from "../ui/badge";
import { buttonClass } from "../ui/button";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import { SiteIcon } from "../ui/site-icon";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { productsQuery, type Product, type ProductFilter, type Stock } from "./api";
import { Empty, ShopsFrame } from "./frame";
import { rangeOf, useMoney } from "./money";
import { goWith, SchedulePicker } from "./schedule-picker";
import styles from "./shops.module.css";

const PATH = "/shops/products";
const STOCKS = ["in", "out", "gone"] as const satisfies readonly Stock[];

export default function ProductsScreen() {
  const { search } = useLocation();
  const words = search.get("q") ?? "";
  const page = search.get("page") ?? "";
  const stock = STOCKS.find((one) => one === search.get("stock"));
  const filter: ProductFilter = {
    ...(words === "" ? {} : { search: words }),
    ...(page === "" ? {} : { scheduler_id: page }),
    ...(stock === undefined ? {} : { stock }),
  };
  return (
    <ShopsFrame>
      <Filters search={search} stock={stock} />
      <Products filter={filter} />
    </ShopsFrame>
  );
}

function Filters({ search, stock }: { readonly search: URLSearchParams; readonly stock: Stock | undefined }) {
  const { t } = useTranslation();
  const words = search.get("q") ?? "";
  const [typed, setTyped] = useState(words);
  const [seen, setSeen] = useState(words);
  const settled = useSettled(typed.trim());
  if (words !== seen) {
    setSeen(words);
    // Somebody else changed it: the back button, or the way to all products.
    if (words !== settled) setTyped(words);
  }
  useEffect(() => {
    if (settled !== words) goWith(PATH, search, { q: settled });
    // Only what was typed leads anywhere; who comes back finds what the address says.
  }, [settled]); // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <form
      className={styles["filters"]}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <label className={styles["words"]}>
        <span className={layout["sr-only"]}>{t("shops.filter.search")}</span>
        <input
          type="search"
          maxLength={200}
          placeholder={t("shops.filter.searchHint")}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
          }}
        />
      </label>
      <SchedulePicker
        picked={search.get("page")}
        pick={(page) => {
          goWith(PATH, search, { page });
        }}
      />
      <label>
        <span className={layout["sr-only"]}>{t("shops.filter.stock")}</span>
        <select
          value={stock ?? ""}
          onChange={({ currentTarget: { value } }) => {
            goWith(PATH, search, { stock: value });
          }}
        >
          <option value="">{t("shops.filter.anyStock")}</option>
          {STOCKS.map((one) => (
            <option key={one} value={one}>
              {t(`shops.stock.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}

function Products({ filter }: { readonly filter: ProductFilter }) {
  const { t } = useTranslation();
  const found = useInfiniteQuery(productsQuery(filter));
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0)
    return Object.keys(filter).length > 0 ? (
      <Empty text={t("shops.none.matches")} />
    ) : (
      <Empty text={t("shops.none.products")}>
        <Link className={buttonClass("plain")} to="/shops/add">
          {t("shops.watch")}
        </Link>
      </Empty>
    );
  return (
    <section className={layout["panel"]}>
      <ul className={list["rows"]}>
        {items.map((product) => (
          <ProductRow key={product.id} product={product} />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}

function ProductRow({ product }: { readonly product: Product }) {
  const { t } = useTranslation();
  const dates = useDates();
  const money = useMoney();
  const domain = domainOf(product.url);
  const facts = [
    product.brand,
    product.options > 1 && t("shops.products.options", { count: product.options }),
    product.changed_at === null
      ? t("shops.products.firstSeen", { time: dates.day(product.created_at) })
      : t("shops.products.changed", { time: dates.moment(product.changed_at) }),
  ];
  return (
    <li className={list["row"]}>
      <SiteIcon domain={domain} />
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <Link className={styles["link"]} to={`${PATH}/${product.id}`}>
            <bdi>{nameOf(product)}</bdi>
          </Link>
        </p>
        <p className={list["row-note"]}>
          <bdi>{domain}</bdi> · <bdi>{facts.filter(Boolean).join(" · ")}</bdi>
        </p>
      </div>
      <div className={styles["offer"]}>
        <span className={styles["price"]}>{rangeOf(product, money) || t("shops.products.noPrice")}</span>
        <StockBadge product={product} />
      </div>
    </li>
  );
}

export function StockBadge({ product }: { readonly product: Pick<Product, "availability" | "gone_at"> }) {
  const { t } = useTranslation();
  const stock = stockOf(product);
  if (stock === null) return null;
  return <Badge tone={stock === "in" ? "good" : "warn"}>{t(`shops.stock.${stock}`)}</Badge>;
}

function stockOf({ availability, gone_at }: Pick<Product, "availability" | "gone_at">): Stock | null {
  if (gone_at !== null) return "gone";
  return availability === "InStock" ? "in" : availability === "OutOfStock" ? "out" : null;
}

export function nameOf({ title, item_key }: Product): string {
  return title ?? item_key;
}

export function domainOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return url;
  }
}
