/** How notifications come: this browser, other channels, quiet hours. A section of the settings. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMe } from "../account/me";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { Notice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { AddChannel } from "./add-channel";
import { channelsKey, channelsQuery } from "./api";
import { ChannelRow } from "./channel-row";
import { pushState, turnPushOff, turnPushOn } from "./push";
import { QuietHours } from "./quiet-hours";

export function NotificationsSection() {
  return (
    <>
      <ThisBrowser />
      <Channels />
      <QuietHours />
    </>
  );
}

function ThisBrowser() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const me = useMe();
  const { data: state } = useQuery({ queryKey: ["push", me.id], queryFn: () => pushState(me) });
  const change = useAction(() => (state === "on" ? turnPushOff(me) : turnPushOn(me)), {
    done: (now) => {
      queries.setQueryData(["push", me.id], now);
      void queries.invalidateQueries({ queryKey: channelsKey });
    },
  });
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="push-title">
      <h2 id="push-title">{t("reminders.push.title")}</h2>
      <p className={layout["soft"]}>{t("reminders.push.text")}</p>
      {state === "on" && <p className={layout["success"]}>{t("reminders.push.on")}</p>}
      {(state === "denied" || state === "unsupported") && <Notice>{t(`reminders.push.${state}`)}</Notice>}
      {change.failure && <Notice tone="bad">{t("reminders.push.failed")}</Notice>}
      {(state === "on" || state === "off") && (
        <p>
          <Button
            look={state === "on" ? "plain" : "main"}
            isBusy={change.isBusy}
            onClick={() => {
              change.run();
            }}
          >
            {t(state === "on" ? "reminders.push.turnOff" : "reminders.push.turnOn")}
          </Button>
        </p>
      )}
    </section>
  );
}

function Channels() {
  const { t } = useTranslation();
  const found = useQuery(channelsQuery);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="channels-title">
      <h2 id="channels-title">{t("reminders.channels.title")}</h2>
      <p className={layout["soft"]}>{t("reminders.channels.text")}</p>
      {found.data ? (
        <>
          {found.data.items.length === 0 && <p className={layout["empty"]}>{t("reminders.channels.none")}</p>}
          <ul className={list["rows"]}>
            {found.data.items.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} />
            ))}
          </ul>
          <AddChannel known={found.data} />
        </>
      ) : found.error ? (
        <Trouble error={found.error} retry={found.refetch} />
      ) : (
        <Waiting />
      )}
    </section>
  );
}
