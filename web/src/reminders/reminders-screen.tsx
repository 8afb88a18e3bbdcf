/** Pages that come back: the next first, those that are paused or don't arrive, and what has come. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link, useLocation } from "../app/router";
import { useArrival } from "../app/screen";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { classes } from "../ui/classes";
import { useHidden } from "../ui/deletions";
import { useCurrentInSight } from "../ui/hooks/use-current-in-sight";
import { noticesQuery, remindersQuery, stoppedKey, type ReminderStatus } from "./api";
import { NoticeRow } from "./notice-row";
import { ReminderRow } from "./reminder-row";
import styles from "./reminders.module.css";

const TABS = ["active", "paused", "failing", "history"] as const;
type Tab = (typeof TABS)[number];

export default function RemindersScreen() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const tab = TABS.find((one) => one === search.get("show")) ?? "active";
  const heading = useArrival(t("reminders.title"));
  const tabs = useCurrentInSight(tab);
  return (
    <div className={styles["screen"]}>
      <div className={styles["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t("reminders.title")}
        </h1>
        <p className={layout["soft"]}>{t("reminders.lead")}</p>
      </div>
      <nav ref={tabs} className={styles["tabs"]} aria-label={t("reminders.tabs.label")}>
        {TABS.map((one) => (
          <Link
            key={one}
            to={one === "active" ? "/reminders" : `/reminders?show=${one}`}
            aria-current={one === tab ? "page" : undefined}
          >
            {t(`reminders.tabs.${one}`)}
          </Link>
        ))}
      </nav>
      {tab === "history" ? <History /> : <Reminders key={tab} status={tab} />}
    </div>
  );
}

function Reminders({ status }: { readonly status: ReminderStatus }) {
  const { t } = useTranslation();
  const found = useInfiniteQuery(remindersQuery(status));
  const hidden = useHidden();
  const items = (found.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter(({ page_id: id }) => !hidden.has(id) && !hidden.has(stoppedKey(id)));
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0) return <Nothing tab={status} />;
  return (
    <section className={classes(layout["panel"], layout["stack"])}>
      {status === "failing" && (
        <p className={layout["soft"]}>
          {t("reminders.failingHint")} <Link to="/settings/notifications">{t("reminders.toChannels")}</Link>
        </p>
      )}
      <ul className={list["rows"]}>
        {items.map((reminder) => (
          <ReminderRow key={reminder.page_id} reminder={reminder} />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}

function History() {
  const found = useInfiniteQuery(noticesQuery({ kind: "reminder" }));
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0) return <Nothing tab="history" />;
  return (
    <section className={layout["panel"]}>
      <ul className={list["rows"]}>
        {items.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} isPast />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}

function Nothing({ tab }: { readonly tab: Tab }) {
  const { t } = useTranslation();
  return <p className={classes(layout["panel"], layout["empty"])}>{t(`reminders.none.${tab}`)}</p>;
}
