/** What stands above every list about shops: the heading, and the ways between the lists. */
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { Link, useLocation } from "../app/router";
import { useArrival } from "../app/screen";
import { buttonClass } from "../ui/button";
import { useCurrentInSight } from "../ui/hooks/use-current-in-sight";
import layout from "../ui/styles/layout.module.css";
import styles from "./shops.module.css";

const TABS = {
  schedules: "/shops",
  products: "/shops/products",
  runs: "/shops/runs",
  failed: "/shops/failed",
  alerts: "/shops/alerts",
} as const;

export function ShopsFrame({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const { path } = useLocation();
  const heading = useArrival(t("shops.title"));
  const tabs = useCurrentInSight(path);
  return (
    <div className={styles["screen"]}>
      <div className={styles["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t("shops.title")}
        </h1>
        <Link className={buttonClass("main")} to="/shops/add">
          {t("shops.watch")}
        </Link>
        <p className={layout["soft"]}>{t("shops.lead")}</p>
      </div>
      <nav ref={tabs} className={styles["tabs"]} aria-label={t("shops.tabs.label")}>
        {(Object.keys(TABS) as (keyof typeof TABS)[]).map((name) => (
          <Link key={name} to={TABS[name]} aria-current={TABS[name] === path ? "page" : undefined}>
            {t(`shops.tabs.${name}`)}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}

interface DetailProps {
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

/** A screen about one thing, with the way back to its list. */
export function DetailFrame({ title, back, children }: DetailProps) {
  const heading = useArrival(title);
  return (
    <div className={styles["screen"]}>
      <Back {...back} />
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      {children}
    </div>
  );
}

export function Back({ to, label }: DetailProps["back"]) {
  return (
    <Link className={layout["back"]} to={to}>
      {label}
    </Link>
  );
}

/** An empty list says what to do. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className={styles["empty"]}>
      <p>{text}</p>
      {children}
    </div>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
