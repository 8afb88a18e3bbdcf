import { useTranslation } from "react-i18next";
import { Link } from "../../router";
import { Icon } from "../../ui/icons";
import { Moment } from "../../ui/time";
import type { Capture } from "./api";
import { isStopped } from "./health";

export function Devices({ devices, now }: { readonly devices: readonly Capture[]; readonly now: number }) {
  const { t } = useTranslation();
  return (
    <section className="panel stack" aria-labelledby="capture-title">
      <h2 id="capture-title">{t("operations.devices.title")}</h2>
      <p className="soft">{t("operations.devices.text")}</p>
      {devices.length === 0 && (
        <p className="empty">
          {t("operations.devices.none")} <Link to="/first-steps">{t("operations.devices.connect")}</Link>
        </p>
      )}
      <ul className="rows">
        {devices.map((device) => (
          <Device key={device.id} device={device} now={now} />
        ))}
      </ul>
    </section>
  );
}

function Device({ device, now }: { readonly device: Capture; readonly now: number }) {
  const { t } = useTranslation();
  const { name, email, last_batch_at, last_seen_at, recording, events, rejected, reasons } = device;
  const { incomplete, waiting } = device;
  const stopped = isStopped(device, now);
  return (
    <li className="row">
      <span className="row-icon">
        <Icon name="extension" />
      </span>
      <div className="row-words figures">
        <p className="row-name">
          <bdi>{name}</bdi>
          <span
            className="state-badge"
            data-status={stopped ? "failed" : recording > 0 ? "recording" : "quiet"}
          >
            {stopped
              ? t("operations.devices.stopped")
              : recording > 0
                ? t("operations.devices.recording")
                : t("operations.devices.quiet")}
          </span>
          {rejected > 0 && (
            <span className="badge" data-tone="warn">
              {t("operations.devices.rejected", { count: rejected })}
            </span>
          )}
          {waiting > 0 && (
            <span className="badge" data-tone="warn">
              {t("operations.devices.waiting", { count: waiting })}
            </span>
          )}
          {incomplete > 0 && (
            <span className="badge" data-tone="warn">
              {t("operations.devices.incomplete", { count: incomplete })}
            </span>
          )}
        </p>
        <p className="row-note">
          {t("operations.devices.of", { email })} · {t("operations.devices.lastBatch")}{" "}
          {last_batch_at ? <Moment at={last_batch_at} /> : t("operations.devices.never")} ·{" "}
          {t("operations.devices.lastSeen")}{" "}
          {last_seen_at ? <Moment at={last_seen_at} /> : t("operations.devices.never")} ·{" "}
          {t("operations.devices.events")} {events}
        </p>
        {stopped && <p className="row-note">{t("operations.devices.stoppedText")}</p>}
        {reasons.length > 0 && (
          <details>
            <summary>{t("operations.devices.why")}</summary>
            <ul className="reasons">
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
