/** All watched pages, the newest first. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { buttonClass } from "../ui/button";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { schedulesQuery } from "./api";
import { Empty, ShopsFrame } from "./frame";
import { ScheduleRow } from "./schedule-row";

export default function SchedulesScreen() {
  return (
    <ShopsFrame>
      <Schedules />
    </ShopsFrame>
  );
}

function Schedules() {
  const { t } = useTranslation();
  const found = useInfiniteQuery(schedulesQuery);
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0)
    return (
      <Empty text={t("shops.none.schedules")}>
        <Link className={buttonClass("plain")} to="/shops/add">
          {t("shops.watchFirst")}
        </Link>
      </Empty>
    );
  return (
    <section className={layout["panel"]}>
      <ul className={list["rows"]}>
        {items.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}
