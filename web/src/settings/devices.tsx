import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { revokeDevice, type Device, type Scope } from "../account/api";
import { deviceName } from "../account/device-name";
import { deviceListQuery, devicesQuery } from "../account/me";
import { Link } from "../app/router";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { MoreButton } from "../ui/more-button";
import { Trouble, Waiting } from "../ui/notice";
import { Moment } from "../ui/time/moment";
import { NewToken } from "./api-tokens";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { Badge } from "../ui/badge";
import { classes } from "../ui/classes";

/** Whatever can act for the person, and how to take that away. */
export function DevicesSection() {
  return (
    <>
      <DeviceList />
      <NewToken />
    </>
  );
}

function DeviceList() {
  const { t } = useTranslation();
  const devices = useInfiniteQuery(deviceListQuery);
  const [leaving, setLeaving] = useState<Device | null>(null);
  const [revoked, setRevoked] = useState<Device | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const items = (devices.data ?? []).map((device) => ({ ...device, name: deviceName(device.name, t) }));
  useEffect(() => {
    // The question gives the focus back to its button, which goes with the device.
    if (revoked) heading.current?.focus();
  }, [revoked]);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="devices-title">
      <h2 id="devices-title" ref={heading} tabIndex={-1}>
        {t("settings.devices.title")}
      </h2>
      <p className={layout["soft"]}>{t("settings.devices.text")}</p>
      <p className={layout["sr-only"]} role="status">
        {revoked && t("settings.devices.revoked", { name: revoked.name })}
      </p>
      {devices.isPending && <Waiting />}
      {devices.error && <Trouble error={devices.error} retry={devices.refetch} />}
      <ul className={list["rows"]}>
        {items.map((device) => (
          <DeviceRow key={device.id} device={device} revoke={setLeaving} />
        ))}
      </ul>
      <MoreButton list={devices} />
      {devices.isSuccess && !devices.hasNextPage && !items.some((device) => device.kind === "extension") && (
        <p className={layout["empty"]}>
          {t("settings.devices.noExtension")} <Link to="/first-steps">{t("settings.devices.connect")}</Link>
        </p>
      )}
      {leaving && (
        <Revoke
          device={leaving}
          close={(gone) => {
            setLeaving(null);
            if (gone) setRevoked(leaving);
          }}
        />
      )}
    </section>
  );
}

function DeviceRow({
  device,
  revoke,
}: {
  readonly device: Device;
  readonly revoke: (device: Device) => void;
}) {
  const { t } = useTranslation();
  const { kind, name, last_seen_at, last_address, expires_at, is_current, scopes } = device;
  return (
    <li className={list["row"]}>
      <span className={list["row-icon"]}>
        <Icon name={kind} />
      </span>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          {name}
          {is_current && <Badge>{t("settings.devices.current")}</Badge>}
        </p>
        <p className={list["row-note"]}>
          {kind === "api"
            ? t("settings.devices.token", {
                scopes: scopes.map((scope) => t(`settings.tokens.scopes.${scope as Scope}`)).join(", "),
              })
            : t(`settings.devices.kinds.${kind}`)}
          {" · "}
          {last_seen_at ? (
            <>
              {t("settings.devices.seen")} <Moment at={last_seen_at} />
            </>
          ) : (
            t("settings.devices.neverSeen")
          )}
          {last_address && ` · ${last_address}`}
          {expires_at && kind === "api" && (
            <>
              {` · ${t("settings.devices.until")} `}
              <Moment at={expires_at} />
            </>
          )}
        </p>
      </div>
      {!is_current && (
        <Button
          aria-label={t("settings.devices.revokeName", { name })}
          onClick={() => {
            revoke(device);
          }}
        >
          {t("settings.devices.revoke")}
        </Button>
      )}
    </li>
  );
}

function Revoke({ device, close }: { readonly device: Device; readonly close: (gone: boolean) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(() => revokeDevice(device.id), {
    done: () => {
      close(true);
      void queries.invalidateQueries({ queryKey: devicesQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={t("settings.devices.sure", { name: device.name })}
      text={t(`settings.devices.sureText.${device.kind}`)}
      confirm={t("settings.devices.revoke")}
      action={action}
      close={() => {
        close(false);
      }}
    />
  );
}
