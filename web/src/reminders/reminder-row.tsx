/** One reminder, and what can be done with it. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { orGone, removeLater } from "../ui/deletions";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import { SiteIcon } from "../ui/site-icon";
import { useDates } from "../ui/time/dates";
import list from "../ui/styles/list.module.css";
import { moreOften, pause, remindersKey, resume, snooze, stop, stoppedKey, type Reminder } from "./api";
import { domainOf, PageLink } from "./page-link";
import { reasonText } from "./reasons";
import styles from "./reminders.module.css";

const MOST_LETTERS = 80;

export function ReminderRow({ reminder }: { readonly reminder: Reminder }) {
  const { t } = useTranslation();
  const { page_id: id, title, sent_count: count } = reminder;
  const done = useRefresh();
  const change = useAction((act: () => Promise<unknown>) => act(), { done });
  const end = useStop(reminder);
  const isPaused = reminder.status !== "active";
  return (
    <li className={list["row"]}>
      <SiteIcon domain={domainOf(reminder.url)} />
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <PageLink url={reminder.url} title={title} />
          {count > 1 && <Badge>{t("reminders.nth", { count })}</Badge>}
        </p>
        <Note reminder={reminder} />
        <FailureNotice failure={change.failure} />
      </div>
      <div className={styles["actions"]} role="group" aria-label={t("reminders.actions", { title })}>
        {isPaused ? (
          <Act
            label={t("reminders.resume")}
            isBusy={change.isBusy}
            run={() => {
              change.run(() => resume(id));
            }}
          />
        ) : (
          <>
            <Act
              label={t("reminders.inbox.tomorrow")}
              isBusy={change.isBusy}
              run={() => {
                change.run(() => snooze(id, "tomorrow"));
              }}
            />
            {count > 1 && (
              <Act
                label={t("reminders.moreOften")}
                isBusy={change.isBusy}
                run={() => {
                  change.run(() => moreOften(id));
                }}
              />
            )}
            <Act
              label={t("reminders.pause")}
              isBusy={change.isBusy}
              run={() => {
                change.run(() => pause(id));
              }}
            />
          </>
        )}
        <Act label={t("reminders.stop")} isBusy={false} run={end} />
      </div>
    </li>
  );
}

function Note({ reminder }: { readonly reminder: Reminder }) {
  const { t } = useTranslation();
  const dates = useDates();
  const domain = <bdi>{domainOf(reminder.url)}</bdi>;
  if (reminder.status === "failing") {
    const reason = reasonText(reminder.last_error_reason, reminder.last_error, t);
    return (
      <>
        <p className={list["row-note"]}>{domain}</p>
        <p className={styles["error"]}>{t("reminders.failed", { reason })}</p>
      </>
    );
  }
  const text =
    reminder.status === "paused"
      ? t("reminders.pausedAt")
      : t("reminders.next", { time: dates.near(reminder.next_alarm_time) });
  return (
    <p className={list["row-note"]}>
      {domain} · {text}
    </p>
  );
}

function Act(props: { readonly label: string; readonly isBusy: boolean; readonly run: () => void }) {
  return (
    <Button look="quiet" isBusy={props.isBusy} onClick={props.run}>
      {props.label}
    </Button>
  );
}

/** Unless it is undone in time. */
function useStop({ page_id: id, title }: Reminder): () => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return () => {
    removeLater({
      text: t("reminders.stopped", { title: title.slice(0, MOST_LETTERS) }),
      hides: [stoppedKey(id)],
      send: () => orGone(stop(id)),
      settle: () => queries.invalidateQueries({ queryKey: remindersKey }),
    });
  };
}

function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: remindersKey });
  };
}
