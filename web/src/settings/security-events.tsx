import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { deviceName } from "../account/device-name";
import { eventsQuery } from "../account/me";
import { en } from "./en";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import { Moment } from "../ui/time/moment";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { classes } from "../ui/classes";

type Known = keyof typeof en.events;

/** What happened to the account's keys, newest first. */
export function EventList() {
  const { t } = useTranslation();
  const events = useInfiniteQuery(eventsQuery);
  const items = events.data ?? [];
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="events-title">
      <h2 id="events-title">{t("settings.security.events")}</h2>
      <p className={layout["soft"]}>{t("settings.security.eventsText")}</p>
      {events.isPending && <Waiting />}
      <ol className={list["rows"]}>
        {items.map(({ id, at, event, address, device }) => (
          <li key={id} className={list["row"]}>
            <div>
              <p className={list["row-name"]}>
                {isKnown(event) ? t(`settings.events.${event}`) : event.replaceAll("_", " ")}
              </p>
              <p className={list["row-note"]}>
                {[device && deviceName(device, t), address].filter(Boolean).join(" · ")}
              </p>
            </div>
            <p className={list["row-note"]}>
              <Moment at={at} />
            </p>
          </li>
        ))}
      </ol>
      {events.isSuccess && items.length === 0 && (
        <p className={layout["empty"]}>{t("settings.security.noEvents")}</p>
      )}
      {events.error && <Trouble error={events.error} retry={events.refetch} />}
      <MoreButton list={events} />
    </section>
  );
}

function isKnown(event: string): event is Known {
  return Object.hasOwn(en.events, event);
}
