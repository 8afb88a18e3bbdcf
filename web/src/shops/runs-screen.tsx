/** Runs of all watched pages, or of one. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { useLocation } from "../app/router";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { runsQuery } from "./api";
import { Empty, ShopsFrame } from "./frame";
import { RunRow } from "./run-row";
import { goWith, SchedulePicker } from "./schedule-picker";
import styles from "./shops.module.css";

export default function RunsScreen() {
  const { search } = useLocation();
  return (
    <ShopsFrame>
      <div className={styles["filters"]}>
        <SchedulePicker
          picked={search.get("page")}
          pick={(page) => {
            goWith("/shops/runs", search, { page });
          }}
        />
      </div>
      <Runs schedule={search.get("page")} />
    </ShopsFrame>
  );
}

function Runs({ schedule }: { readonly schedule: string | null }) {
  const { t } = useTranslation();
  const found = useInfiniteQuery(runsQuery(schedule));
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0) return <Empty text={t("shops.none.runs")} />;
  return (
    <section className={layout["panel"]}>
      <ul className={list["rows"]}>
        {items.map((run) => (
          <RunRow key={run.id} run={run} isNamed />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}
