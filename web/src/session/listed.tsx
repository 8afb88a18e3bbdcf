import { useState, type ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import type { Visit } from "./api";
import { PageList } from "./page-list";
import { TrailList } from "./trail-list";
import styles from "./session.module.css";
import switches from "../ui/switch.module.css";

const ORDERS = ["time", "page", "trail"] as const;

interface ListedProps {
  readonly visits: readonly Visit[];
  readonly hover: (visit: string | null) => void;
  readonly byTime: ReactNode;
}

/** The visits in the order in which they were made, put together by page, or by which page led to which. */
export function Listed({ visits, hover, byTime }: ListedProps) {
  const { t } = useTranslation();
  const [order, setOrder] = useState<(typeof ORDERS)[number]>("time");
  return (
    <section className={styles["listed"]} aria-labelledby="timeline-title">
      <header className={styles["listed-head"]}>
        <h2 id="timeline-title">{t("session.timeline.title")}</h2>
        <div className={switches["switch"]} role="group" aria-label={t("session.timeline.order")}>
          {ORDERS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={order === each}
              onClick={() => {
                setOrder(each);
              }}
            >
              {t(`session.timeline.orders.${each}`)}
            </button>
          ))}
        </div>
      </header>
      {order === "time" && byTime}
      {order === "page" && <PageList visits={visits} hover={hover} />}
      {order === "trail" && <TrailList visits={visits} hover={hover} />}
    </section>
  );
}
