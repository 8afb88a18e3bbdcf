/** Everything a person was told, newest first. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { useArrival } from "../app/screen";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { MoreButton } from "../ui/more-button";
import { FailureNotice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { noticesKey, noticesQuery, readAllNotices } from "./api";
import { NoticeRow } from "./notice-row";
import styles from "./reminders.module.css";

export default function InboxScreen() {
  const { t } = useTranslation();
  const heading = useArrival(t("reminders.inbox.title"));
  const queries = useQueryClient();
  const found = useInfiniteQuery(noticesQuery());
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  const unread = found.data?.pages[0]?.unread ?? 0;
  const readAll = useAction(readAllNotices, {
    done: () => {
      void queries.invalidateQueries({ queryKey: noticesKey });
    },
  });
  return (
    <div className={styles["screen"]}>
      <div className={styles["title-row"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t("reminders.inbox.title")}
        </h1>
        <div className={layout["button-row"]}>
          <Link to="/reminders">{t("reminders.inbox.toReminders")}</Link>
          {unread > 0 && (
            <Button
              isBusy={readAll.isBusy}
              onClick={() => {
                readAll.run();
              }}
            >
              {t("reminders.inbox.readAll")}
            </Button>
          )}
        </div>
      </div>
      <FailureNotice failure={readAll.failure} />
      {found.isPending ? (
        <Waiting />
      ) : found.error ? (
        <Trouble error={found.error} retry={found.refetch} />
      ) : items.length === 0 ? (
        <p className={classes(layout["panel"], layout["empty"])}>{t("reminders.inbox.none")}</p>
      ) : (
        <section className={layout["panel"]}>
          <ul className={list["rows"]}>
            {items.map((notice) => (
              <NoticeRow key={notice.id} notice={notice} />
            ))}
          </ul>
          <MoreButton list={found} />
        </section>
      )}
    </div>
  );
}
