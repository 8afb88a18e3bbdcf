/** One notice: a reminder can be put off or stopped right here. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import { SiteIcon } from "../ui/site-icon";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { noticesKey, readNotice, remindersKey, snooze, stop, type Notice } from "./api";
import { domainOf, PageLink } from "./page-link";
import styles from "./reminders.module.css";

interface Props {
  readonly notice: Notice;
  /** In the history: only shows what was. */
  readonly isPast?: boolean;
}

export function NoticeRow({ notice, isPast = false }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const queries = useQueryClient();
  const isUnread = notice.read_at === null && !isPast;
  const domain = notice.url === null ? null : domainOf(notice.url);
  const read = useAction(() => readNotice(notice.id), {
    done: () => {
      void queries.invalidateQueries({ queryKey: noticesKey });
    },
  });
  return (
    <li className={list["row"]} data-unread={isUnread || undefined}>
      {isPast ? (
        <SiteIcon domain={domain ?? ""} />
      ) : (
        <span className={styles["dot"]} data-unread={isUnread || undefined} />
      )}
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <PageLink
            url={notice.url}
            title={notice.title}
            onOpen={() => {
              if (isUnread) read.run();
            }}
          />
          {notice.kind !== "reminder" && <Badge>{t(`reminders.kinds.${notice.kind}`)}</Badge>}
          {isUnread && <span className={layout["sr-only"]}> ({t("reminders.inbox.unread")})</span>}
        </p>
        {notice.body !== "" && <p className={styles["body"]}>{notice.body}</p>}
        <p className={list["row-note"]}>
          {domain !== null && notice.kind === "reminder" && (
            <>
              <bdi>{domain}</bdi> ·{" "}
            </>
          )}
          <time
            className={styles["time"]}
            dateTime={notice.created_at}
            title={dates.moment(notice.created_at)}
          >
            {dates.near(notice.created_at)}
          </time>
        </p>
        <FailureNotice failure={read.failure} />
      </div>
      {!isPast && (
        <div className={styles["actions"]}>
          {notice.kind === "reminder" && notice.page_id !== null && (
            <OfReminder
              pageId={notice.page_id}
              done={() => {
                if (isUnread) read.run();
              }}
            />
          )}
          {isUnread && (
            <Button
              look="quiet"
              isBusy={read.isBusy}
              onClick={() => {
                read.run();
              }}
            >
              {t("reminders.inbox.read")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function OfReminder({ pageId, done }: { readonly pageId: string; readonly done: () => void }) {
  const { t } = useTranslation();
  const dates = useDates();
  const queries = useQueryClient();
  const [said, setSaid] = useState("");
  const finish = (text: string) => {
    setSaid(text);
    done();
    void queries.invalidateQueries({ queryKey: remindersKey });
  };
  const later = useAction(() => snooze(pageId, "tomorrow"), {
    done: ({ next_alarm_time }) => {
      finish(t("reminders.inbox.snoozed", { time: dates.near(next_alarm_time) }));
    },
  });
  const end = useAction(() => stop(pageId), {
    done: () => {
      finish(t("reminders.inbox.stopped"));
    },
  });
  if (said !== "")
    return (
      <p className={layout["soft"]} role="status">
        {said}
      </p>
    );
  return (
    <>
      <Button
        look="quiet"
        isBusy={later.isBusy}
        onClick={() => {
          later.run();
        }}
      >
        {t("reminders.inbox.tomorrow")}
      </Button>
      <Button
        look="quiet"
        isBusy={end.isBusy}
        onClick={() => {
          end.run();
        }}
      >
        {t("reminders.stop")}
      </Button>
      <FailureNotice failure={later.failure ?? end.failure} />
    </>
  );
}
