/** One channel: where it leads, whether it works, and a test. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Notice } from "../ui/notice";
import { useDates } from "../ui/time/dates";
import list from "../ui/styles/list.module.css";
import { channelsKey, removeChannel, switchChannel, testChannel, type Channel } from "./api";
import { reasonText } from "./reasons";
import styles from "./reminders.module.css";

type Tested = Awaited<ReturnType<typeof testChannel>>;

export function ChannelRow({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isRemoving, setRemoving] = useState(false);
  const [tested, setTested] = useState<Tested | null>(null);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: channelsKey });
  };
  const test = useAction(() => testChannel(channel.id), {
    done: (answer) => {
      setTested(answer);
      refresh();
    },
  });
  const toggle = useAction(() => switchChannel(channel.id, !channel.enabled), { done: refresh });
  const remove = useAction(() => removeChannel(channel.id), { done: refresh });
  const { name } = channel;
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <bdi>{name}</bdi>
          {name !== t(`reminders.channels.kinds.${channel.kind}`) && (
            <Badge>{t(`reminders.channels.kinds.${channel.kind}`)}</Badge>
          )}
          {!channel.enabled && <Badge tone="warn">{t("reminders.channels.off")}</Badge>}
        </p>
        <Note channel={channel} />
        {tested && <Result tested={tested} />}
        <FailureNotice failure={test.failure ?? toggle.failure} />
      </div>
      <div className={styles["channel-actions"]}>
        <Button
          isBusy={test.isBusy}
          aria-label={t("reminders.channels.testOf", { name })}
          onClick={() => {
            setTested(null);
            test.run();
          }}
        >
          {t("reminders.channels.test")}
        </Button>
        <Button
          look="quiet"
          isBusy={toggle.isBusy}
          onClick={() => {
            toggle.run();
          }}
        >
          {t(channel.enabled ? "reminders.channels.switchOff" : "reminders.channels.switchOn")}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            setRemoving(true);
          }}
        >
          {t("reminders.channels.remove")}
        </Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={t("reminders.channels.removeTitle")}
          text={t("reminders.channels.removeText", { name })}
          confirm={t("reminders.channels.remove")}
          action={remove}
          close={() => {
            setRemoving(false);
          }}
        />
      )}
    </li>
  );
}

function Note({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const dates = useDates();
  const error = channel.last_error && reasonText(channel.last_error_reason, channel.last_error, t);
  const delivered =
    channel.last_ok_at === null
      ? t("reminders.channels.never")
      : t("reminders.channels.lastOk", { time: dates.near(channel.last_ok_at) });
  const facts = [channel.target, error ? null : delivered];
  return (
    <>
      <p className={list["row-note"]}>{facts.filter(Boolean).join(" · ")}</p>
      {error && <p className={styles["error"]}>{t("reminders.channels.lastError", { reason: error })}</p>}
    </>
  );
}

function Result({ tested }: { readonly tested: Tested }) {
  const { t } = useTranslation();
  if (tested.status === "SENT") return <Notice tone="good">{t("reminders.channels.tested")}</Notice>;
  if (tested.status === "PENDING") return <Notice>{t("reminders.channels.testing")}</Notice>;
  const reason = reasonText(tested.reason, tested.detail, t);
  return <Notice tone="bad">{t("reminders.channels.testFailed", { reason })}</Notice>;
}
