import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { Icon } from "../ui/icons";
import { Moment } from "../ui/time/moment";
import type { Capture } from "./api";
import { isStopped } from "./health";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { Badge, StatusPill } from "../ui/badge";
import styles from "./operations.module.css";
import { classes } from "../ui/classes";

export function RecordingBrowsers({
  devices,
  now,
}: {
  readonly devices: readonly Capture[];
  readonly now: number;
}) {
  const { t } = useTranslation();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="capture-title">
      <h2 id="capture-title">{t("operations.browsers.title")}</h2>
      <p className={layout["soft"]}>{t("operations.browsers.text")}</p>
      {devices.length === 0 && (
        <p className={layout["empty"]}>
          {t("operations.browsers.none")} <Link to="/first-steps">{t("operations.browsers.connect")}</Link>
        </p>
      )}
      <ul className={list["rows"]}>
        {devices.map((device) => (
          <BrowserRow key={device.id} device={device} now={now} />
        ))}
      </ul>
    </section>
  );
}

function BrowserRow({ device, now }: { readonly device: Capture; readonly now: number }) {
  const { t } = useTranslation();
  const { name, email, last_batch_at, last_seen_at, recording, events, rejected, reasons } = device;
  const { incomplete, waiting } = device;
  const stopped = isStopped(device, now);
  return (
    <li className={list["row"]}>
      <span className={list["row-icon"]}>
        <Icon name="extension" />
      </span>
      <div className={classes(list["row-words"], layout["figures"])}>
        <p className={list["row-name"]}>
          <bdi>{name}</bdi>
          <StatusPill status={stopped ? "failed" : recording > 0 ? "recording" : "idle"}>
            {t(`operations.browsers.${stopped ? "stopped" : recording > 0 ? "recording" : "idle"}`)}
          </StatusPill>
          {rejected > 0 && (
            <Badge tone="warn">{t("operations.browsers.rejected", { count: rejected })}</Badge>
          )}
          {waiting > 0 && <Badge tone="warn">{t("operations.browsers.waiting", { count: waiting })}</Badge>}
          {incomplete > 0 && (
            <Badge tone="warn">{t("operations.browsers.incomplete", { count: incomplete })}</Badge>
          )}
        </p>
        <p className={list["row-note"]}>
          {t("operations.browsers.of", { email })} · {t("operations.browsers.lastBatch")}{" "}
          {last_batch_at ? <Moment at={last_batch_at} /> : t("operations.browsers.never")} ·{" "}
          {t("operations.browsers.lastSeen")}{" "}
          {last_seen_at ? <Moment at={last_seen_at} /> : t("operations.browsers.never")} ·{" "}
          {t("operations.browsers.events")} {events}
        </p>
        {stopped && <p className={list["row-note"]}>{t("operations.browsers.stoppedText")}</p>}
        {reasons.length > 0 && (
          <details>
            <summary>{t("operations.browsers.why")}</summary>
            <ul className={styles["reasons"]}>
              {reasons.map(({ reason, events: count }) => (
                <li key={reason}>
                  <code>{reason}</code> × {count}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
